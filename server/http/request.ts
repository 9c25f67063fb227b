/**
 * server/http turns HTTP into calls of the service and its results into answers; the only folder with Express types.
 * Listens on 127.0.0.1 alone. Invariant: every answer but the page's files is JSON, every failure an
 * OperationOutcome, and only the page's files come without a valid token.
 */
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { fhirPath, operationPaths } from '../../core/api/contract.ts';
import { parseQuery } from '../../core/api/query.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { type ResourceType, isResourceType, typeList } from '../../core/fhir/resource.ts';

/** Answers a request, or throws why not. */
export type Answer = (request: Request, response: Response) => Promise<void> | void;

/** Looks at a request before its answer: lets it pass, throws why not, or answers it. */
export type Guard = (request: Request, response: Response) => void;

/** @throws FhirError `unknown-path` where the address names a type that is not offered. */
export function typeOf(request: Request): ResourceType {
  const type = request.params.type;
  if (typeof type === 'string' && isResourceType(type)) return type;
  throw new FhirError('unknown-path', {
    text: `This address is not offered; the types are ${typeList}.`,
  });
}

/** The record id that the address names; empty where it names none. */
export function idOf(request: Request): string {
  const id = request.params.id;
  return typeof id === 'string' ? id : '';
}

/** @throws FhirError `not-found` with the text where what is asked for is not there. */
export function found<Value>(value: Value | undefined | false, text: string): Value {
  if (value === undefined || value === false) throw new FhirError('not-found', { text });
  return value;
}

/**
 * Row 14: only the types that are offered exist, and of the operations ($name) those of the table.
 *
 * @throws FhirError `unknown-path`.
 */
export function checkAddress(request: Request): void {
  if (request.params.type === undefined) return;
  if ([request.params.type, idOf(request)].some((one) => String(one).startsWith('$')))
    throw notOffered(request);
  typeOf(request);
}

/** The fault of an address that is not in the table; row 84 names an operation. */
export function notOffered({ path }: Request): FhirError {
  const operation = path.startsWith(`${fhirPath}/`)
    ? /\/(\$[a-z][a-z-]{0,63})\/?$/i.exec(path)?.[1]
    : undefined;
  return new FhirError('unknown-path', {
    text:
      operation === undefined
        ? `This address is not offered; records live below ${fhirPath}.`
        : operationText(operation),
  });
}

function operationText(name: string): string {
  const paths = operationPaths.get(name);
  if (paths)
    return `The operation ${name} is not offered at this address; it is called as ${paths.join(' or ')}.`;
  const names = [...operationPaths.keys()];
  return `The operation ${name} is not offered; ${names.join(' and ')} ${names.length > 1 ? 'are' : 'is'}.`;
}

/** The token that a request bears (RFC 6750 section 2.1); blank where there is none. */
export function bearerIn({ authorization = '' }: IncomingHttpHeaders): string {
  return /^Bearer +(.*)$/i.exec(authorization)?.[1]?.trim() ?? '';
}

/** Aborted when a client goes away before it has its answer. */
export function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The query string as it was sent, without `?`. */
function queryOf(request: Request): string {
  const at = request.originalUrl.indexOf('?');
  return at === -1 ? '' : request.originalUrl.slice(at + 1);
}

/**
 * Names and values of the query, decoded.
 *
 * @throws FhirError `malformed` as parseQuery does.
 */
export function pairsOf(request: Request): readonly (readonly [name: string, value: string])[] {
  const query = queryOf(request);
  return query === '' ? [] : parseQuery(query);
}

/** One reader for each parameter of a list: what its value means, or undefined where it is none. */
export type ListReaders<Query> = {
  readonly [Name in keyof Query]-?: (value: string) => Query[Name] | undefined;
};

/**
 * The query of a list.
 *
 * @throws FhirError `not-accepted` where a name is not known, or has a wrong value.
 */
export function readList<Query extends object>(
  request: Request,
  readers: ListReaders<Query>,
): Partial<Query> {
  const query: Partial<Query> = {};
  for (const [name, text] of pairsOf(request)) {
    const known = Object.hasOwn(readers, name) ? (name as keyof Query) : undefined;
    const value = known && readers[known](text);
    if (known === undefined || value === undefined) {
      throw new FhirError('not-accepted', {
        text: `The list takes ${Object.keys(readers).join(', ')}; one of them is not known or has a wrong value.`,
        location: `http.${name.slice(0, 64)}`,
      });
    }
    query[known] = value;
  }
  return query;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The text of a request's body without a byte order mark (RFC 8259 section 8.1), whose media type was checked before it was read.
 *
 * @throws FhirError `malformed` where the bytes are not UTF-8.
 */
export function bodyText(request: Request): string {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) return '';
  try {
    return utf8.decode(body);
  } catch {
    throw new FhirError('malformed', { text: 'The body is not UTF-8 throughout; send it in UTF-8.' });
  }
}
