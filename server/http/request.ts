/**
 * server/http maps HTTP to calls of the services. It is the only folder with Express types. Listens on
 * 127.0.0.1 by default.
 *
 * Invariant: each response except page files is JSON, each error an OperationOutcome, and only page files
 * need no token.
 */
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { fhirPath, operationPaths } from '../../core/api/contract.ts';
import { parseQuery } from '../../core/api/query.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { type ResourceType, isResourceType, typeList } from '../../core/fhir/resource.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';

const messages = defineMessages('request', {
  unknownType: 'There is no such address. Resource types: {types}.',
  unknownAddress: 'There is no such address. Records are under {path}.',
  operationElsewhere: 'The operation {name} is not available here. Call it as {paths}.',
  unknownOperation: 'The operation {name} is not supported. Supported: {names}.',
  invalidParameter: 'Unknown or invalid parameter. Supported: {names}.',
  invalidUtf8: 'The body is not valid UTF-8.',
});

/** Responds to a request, or throws an error. */
export type Handler = (request: Request, response: Response) => Promise<void> | void;

/** Runs before the handler: lets a request pass, throws, or responds. */
export type Guard = (request: Request, response: Response) => void;

/**
 * Returns the resource type of the address.
 *
 * @throws FhirError `unknown-path` for an unsupported type.
 */
export function getResourceType(request: Request): ResourceType {
  const type = request.params.type;
  if (typeof type === 'string' && isResourceType(type)) return type;
  throw new FhirError('unknown-path', messages.unknownType({ types: typeList }));
}

/** Returns the record id of the address, or an empty string. */
export function getRecordId(request: Request): string {
  const id = request.params.id;
  return typeof id === 'string' ? id : '';
}

/**
 * Returns the value.
 *
 * @throws FhirError `not-found` with the message if there is no value.
 */
export function assertFound<Value>(value: Value | undefined | false, message: Message): Value {
  if (value === undefined || value === false) throw new FhirError('not-found', message);
  return value;
}

/**
 * Rejects types and operations that are not in the contract (row 14).
 *
 * @throws FhirError `unknown-path`
 */
export function assertSupportedAddress(request: Request): void {
  if (request.params.type === undefined) return;
  if ([request.params.type, getRecordId(request)].some((segment) => String(segment).startsWith('$')))
    throw createUnsupportedError(request);
  getResourceType(request);
}

/** Creates the error of an unknown address. The error names an unsupported operation (row 84). */
export function createUnsupportedError({ path }: Request): FhirError {
  const operation = path.startsWith(`${fhirPath}/`)
    ? /\/(\$[a-z][a-z-]{0,63})\/?$/i.exec(path)?.[1]
    : undefined;
  return new FhirError(
    'unknown-path',
    operation === undefined
      ? messages.unknownAddress({ path: fhirPath })
      : formatUnsupportedOperation(operation),
  );
}

function formatUnsupportedOperation(name: string): Message {
  const paths = operationPaths.get(name);
  if (paths) return messages.operationElsewhere({ name, paths: formatList(paths, 'disjunction') });
  return messages.unknownOperation({ name, names: formatList([...operationPaths.keys()], 'unit') });
}

/** Returns the bearer token of a request (RFC 6750 section 2.1), or an empty string. */
export function findBearerToken({ authorization = '' }: IncomingHttpHeaders): string {
  return /^Bearer +(.*)$/i.exec(authorization)?.[1]?.trim() ?? '';
}

/** Returns a signal that aborts if the client disconnects before the response is complete. */
export function createDisconnectSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Returns the raw query string without `?`. */
function getQuery(request: Request): string {
  const offset = request.originalUrl.indexOf('?');
  return offset === -1 ? '' : request.originalUrl.slice(offset + 1);
}

/**
 * Returns the decoded names and values of the query.
 *
 * @throws FhirError `malformed` like parseQuery.
 */
export function getQueryPairs(request: Request): readonly (readonly [name: string, value: string])[] {
  const query = getQuery(request);
  return query === '' ? [] : parseQuery(query);
}

/** One reader per parameter of a list. A reader returns undefined for an invalid value. */
export type ListReaders<Query> = {
  readonly [Name in keyof Query]-?: (value: string) => Query[Name] | undefined;
};

/**
 * Parses the query of a list.
 *
 * @throws FhirError `not-accepted` for an unknown name or an invalid value.
 */
export function parseListQuery<Query extends object>(
  request: Request,
  readers: ListReaders<Query>,
): Partial<Query> {
  const query: Partial<Query> = {};
  for (const [name, text] of getQueryPairs(request)) {
    const key = Object.hasOwn(readers, name) ? (name as keyof Query) : undefined;
    const value = key && readers[key](text);
    if (key === undefined || value === undefined) {
      throw new FhirError('not-accepted', {
        ...messages.invalidParameter({ names: formatList(Object.keys(readers), 'unit') }),
        location: `http.${name.slice(0, 64)}`,
      });
    }
    query[key] = value;
  }
  return query;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the text of a body without a byte order mark (RFC 8259 section 8.1). The media type was checked
 * before.
 *
 * @throws FhirError `malformed` if the bytes are not UTF-8.
 */
export function readBodyText(request: Request): string {
  const body: unknown = request.body;
  if (!Buffer.isBuffer(body)) return '';
  try {
    return utf8.decode(body);
  } catch {
    throw new FhirError('malformed', messages.invalidUtf8());
  }
}
