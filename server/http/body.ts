import express, { type Request, type Response } from 'express';
import { promisify } from 'node:util';
import { checkContentType } from '../../core/api/negotiation.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { readJson } from '../../core/fhir/record.ts';
import { print } from '../../core/json/print.ts';
import { bodyText, type Answer } from './request.ts';

/**
 * Reads a request's body into a Buffer of at most `limit` bytes; stands behind the checks of token, address, method
 * and scope.
 *
 * @throws FhirError `too-large`, or what body-parser found.
 */
export function bodyReader(limit: number): Answer {
  const read = promisify<Request, Response>(express.raw({ type: () => true, limit, inflate: false }));
  return async (request, response) => {
    // body-parser reads a body that is too large to its end before it says so; this client may never send it.
    if (Number(request.headers['content-length'] ?? 0) > limit) {
      throw new FhirError('too-large', tooLarge(limit), { Connection: 'close' });
    }
    try {
      await read(request, response);
    } catch (fault) {
      if (isTooLarge(fault)) throw new FhirError('too-large', tooLarge(limit));
      throw fault;
    }
  };
}

function tooLarge(limit: number) {
  return { text: `The body is larger than ${limit} bytes.` };
}

function isTooLarge(fault: unknown): boolean {
  return typeof fault === 'object' && fault !== null && Reflect.get(fault, 'type') === 'entity.too.large';
}

/**
 * The parsed body of one of the app's own addresses; `name` stands in the expressions of its faults.
 *
 * @throws FhirError `media-type`, `malformed` or `too-deep`.
 */
export function jsonBody(request: Request, name: string): unknown {
  checkContentType(request.headers['content-type'], ['application/json']);
  return JSON.parse(print(readJson(bodyText(request), name)));
}
