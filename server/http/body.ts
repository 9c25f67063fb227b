import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type { GenericSchema } from 'valibot';
import type { Check } from '../../core/app/check.ts';
import { checkContentType } from '../../core/api/negotiation.ts';
import { FhirError, type Problem } from '../../core/fhir/outcome.ts';
import { readJson } from '../../core/fhir/record.ts';
import { print } from '../../core/json/print.ts';
import { is, type Shape } from '../../core/json/shape.ts';
import { bodyText, type Answer } from './request.ts';

/** Bytes of the largest body that waits for no other. */
export const smallBody = 64 * 1024;

/**
 * Reads a request's body into a Buffer of at most `limit` bytes; stands behind the checks of token, address, method
 * and scope. A large one waits behind its first bytes until there is room for it.
 *
 * @throws FhirError `too-large`, `crowded` where there is no room in time, `media-type` where it has a Content-Encoding, `malformed` where it breaks off.
 */
export function bodyReader(limit: number): Answer {
  return async (request, response) => {
    const {
      'content-length': length,
      'transfer-encoding': chunked,
      'content-encoding': coding,
    } = request.headers;
    if (length === undefined && chunked === undefined) return;
    if (coding !== undefined && coding.toLowerCase() !== 'identity') {
      throw new FhirError('media-type', {
        text: 'Send the body without Content-Encoding.',
        location: 'http.Content-Encoding',
      });
    }
    const bytes = Number(length ?? 0) > limit ? undefined : await bytesWithin(request, response, limit);
    if (bytes === undefined) throw await tooLarge(request, limit);
    request.body = bytes;
  };
}

/** The whole body; undefined once it turns out to be larger than `limit`. */
function bytesWithin(
  request: IncomingMessage,
  response: Response,
  limit: number,
): Promise<Buffer | undefined> {
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
    const leave = () => request.off('data', take).off('end', end).off('close', breakOff);
    const take = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > limit) {
        leave();
        resolve(undefined);
      } else if (length > smallBody && !isAdmitted) {
        const entering = enter();
        entering.catch(async () => {
          leave();
          await restOf(request, limit);
          resolve(entering.then(() => undefined));
        });
      }
    };
    const end = () => {
      leave();
      const [only] = chunks;
      resolve(only && chunks.length === 1 ? only : Buffer.concat(chunks, length));
    };
    const breakOff = () => {
      reject(brokenOff());
    };
    request.on('data', take).on('end', end).on('close', breakOff);
  });
}

/** Whoever sent a body went away, or stopped, before its end. */
export function brokenOff(): FhirError {
  return new FhirError('malformed', { text: 'The request could not be read to its end; send it again.' });
}

/** How much of a body that is too large is thrown away: so many times its limit, and milliseconds. */
const thrownAway = { times: 4, milliseconds: 2000 };

/**
 * The refusal of a body, row 86. Its client sends the whole before it looks for an answer, and would meet a closed
 * connection instead: the rest is read first, as far as it is not too much of it.
 */
export async function tooLarge(request: IncomingMessage, limit: number): Promise<FhirError> {
  await restOf(request, limit);
  const text = `The body is larger than ${limit} bytes.`;
  return new FhirError('too-large', { text }, request.complete ? {} : { Connection: 'close' });
}

/** Reads the rest of a body that nobody needs, as far as it is not too much. */
async function restOf(request: IncomingMessage, limit: number): Promise<void> {
  await new Promise<void>((resolve) => {
    let left = thrownAway.times * limit;
    const timer = setTimeout(done, thrownAway.milliseconds);
    function take(chunk: Buffer) {
      left -= chunk.length;
      if (left < 0) done();
    }
    function done() {
      clearTimeout(timer);
      request.off('data', take).off('end', done).off('close', done);
      resolve();
    }
    request.on('data', take).on('end', done).on('close', done).resume();
  });
}

/**
 * The parsed body of one of the app's own addresses; `name` stands in the expressions of its faults.
 *
 * @throws FhirError `media-type`, `malformed`, `too-deep` or `too-large`.
 */
export function jsonBody(request: Request, name: string): unknown {
  checkContentType(request.headers['content-type'], ['application/json']);
  return JSON.parse(print(readJson(bodyText(request), name)));
}

/**
 * The same where it is what a schema describes.
 *
 * @throws FhirError `value` with the problem where it is not, and as {@link jsonBody} does.
 */
export function bodyOf<Schema extends GenericSchema>(
  request: Request,
  name: string,
  schema: Schema,
  problem: Problem,
): Shape<Schema> {
  const sent = jsonBody(request, name);
  if (is(schema, sent)) return sent;
  throw new FhirError('value', problem);
}

/**
 * What was read of a body.
 *
 * @throws FhirError `value` with each problem.
 */
export function valueOf<Value>(read: Check<Value>): Value {
  if ('problems' in read) throw new FhirError('value', read.problems);
  return read.value;
}
