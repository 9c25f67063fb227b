import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { GenericSchema } from 'valibot';
import type { Check } from '../../core/app/check.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import { FhirError, type Problem } from '../../core/fhir/outcome.ts';
import { readJson } from '../../core/fhir/record.ts';
import { serializeNode } from '../../core/json/print.ts';
import { matchesSchema, type Shape } from '../../core/json/shape.ts';
import { defineMessages } from '../../core/text/message.ts';
import { readBodyText, type Handler } from './request.ts';

const messages = defineMessages('body', {
  encoded: 'Send the body without Content-Encoding.',
  cutOff: 'The request was cut off. Send it again.',
  tooLarge: 'The body is larger than {bytes} bytes.',
});

/** Bytes of the largest body that never waits. */
export const smallBodyBytes = 64 * 1024;

/**
 * Creates a handler that reads a body of at most `limit` bytes into a Buffer. Authorization comes first.
 *
 * A large body waits after its first bytes until there is space.
 *
 * @throws FhirError `too-large`, `crowded` if no space becomes free in time, `media-type` for a
 *   Content-Encoding, `malformed` for a truncated body.
 */
export function createBodyReader(limit: number): Handler {
  return async (request, response) => {
    const {
      'content-length': length,
      'transfer-encoding': encoding,
      'content-encoding': coding,
    } = request.headers;
    if (length === undefined && encoding === undefined) return;
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      throw new FhirError('media-type', {
        ...messages.encoded(),
        location: 'http.Content-Encoding',
      });
    }
    const bytes = Number(length ?? 0) > limit ? undefined : await readBytes(request, response, limit);
    if (bytes === undefined) throw await createTooLargeError(request, limit);
    request.body = bytes;
  };
}

/** Reads the body. Resolves to undefined if it exceeds `limit`. */
function readBytes(request: IncomingMessage, response: Response, limit: number): Promise<Buffer | undefined> {
  const declared = Number(request.headers['content-length'] ?? limit);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isAdmitted = false;
    const enter = async () => {
      isAdmitted = true;
      request.pause();
      await response.locals.bodies?.admit(declared, request, response);
      request.resume();
    };
    const stopReading = () => request.off('data', handleData).off('end', handleEnd).off('close', handleClose);
    const handleData = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limit) {
        stopReading();
        resolve(undefined);
      } else if (length > smallBodyBytes && !isAdmitted) {
        const entering = enter();
        entering.catch(async () => {
          stopReading();
          await discardBody(request, limit);
          resolve(entering.then(() => undefined));
        });
      }
    };
    const handleEnd = () => {
      stopReading();
      const [singleChunk] = chunks;
      resolve(singleChunk && chunks.length === 1 ? singleChunk : Buffer.concat(chunks, length));
    };
    const handleClose = () => {
      reject(createTruncatedBodyError());
    };
    request.on('data', handleData).on('end', handleEnd).on('close', handleClose);
  });
}

/** Returns the error of a body that its client did not finish. */
export function createTruncatedBodyError(): FhirError {
  return new FhirError('malformed', messages.cutOff());
}

/** Limits of discarding a large body: a multiple of its limit, and milliseconds. */
const discardLimits = { times: 4, milliseconds: 2000 };

/**
 * Returns the rejection of a large body (row 86).
 *
 * Discards the remaining bytes first, up to a limit. A client sends its body before it reads the response,
 * so an early close would hide the response.
 */
export async function createTooLargeError(request: IncomingMessage, limit: number): Promise<FhirError> {
  await discardBody(request, limit);
  return new FhirError(
    'too-large',
    messages.tooLarge({ bytes: limit }),
    request.complete ? {} : { Connection: 'close' },
  );
}

/** Discards the remaining bytes of a body, up to a limit. */
async function discardBody(request: IncomingMessage, limit: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let remainingBytes = discardLimits.times * limit;
    const timer = setTimeout(finish, discardLimits.milliseconds);
    function handleData(chunk: Buffer) {
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) finish();
    }
    function finish() {
      clearTimeout(timer);
      request.off('data', handleData).off('end', finish).off('close', finish);
      resolve();
    }
    request.on('data', handleData).on('end', finish).on('close', finish).resume();
  });
}

/**
 * Returns the parsed body of an app request.
 *
 * @param name - Prefix of the expressions in errors.
 * @throws FhirError `media-type`, `malformed`, `too-deep` or `too-large`.
 */
export function parseJsonBody(request: Request, name: string): unknown {
  checkContentType(request.headers['content-type'], ['application/json']);
  return JSON.parse(serializeNode(readJson(readBodyText(request), name)));
}

/**
 * Returns the parsed body if it matches the schema.
 *
 * @throws FhirError `value` with the problem otherwise, and like {@link parseJsonBody}.
 */
export function parseBodyAs<Schema extends GenericSchema>(
  request: Request,
  name: string,
  schema: Schema,
  problem: Problem,
): Shape<Schema> {
  const body = parseJsonBody(request, name);
  if (matchesSchema(schema, body)) return body;
  throw new FhirError('value', problem);
}

/**
 * Returns the value of a successful check.
 *
 * @throws FhirError `value` with each problem.
 */
export function getCheckedValue<Value>(result: Check<Value>): Value {
  if ('problems' in result) throw new FhirError('value', result.problems);
  return result.value;
}
