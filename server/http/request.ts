/**
 * server/http maps HTTP to calls of the services. Each request is read once into an {@link ApiRequest}; handlers
 * return an {@link ApiResponse}, which send.ts sends. Only page.ts uses Express. Listens on 127.0.0.1 by default.
 *
 * Invariant: each response except page files is JSON, each error an OperationOutcome, and only page files
 * need no token.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { fhirPath, operationPaths } from '../../core/api/contract.ts';
import { parseQuery } from '../../core/api/query.ts';
import type { BodyPart } from '../../core/fhir/bundle.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { type ResourceType, isResourceType, typeList } from '../../core/fhir/resource.ts';
import { formatList } from '../../core/text/language.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { Principal } from '../access/principal.ts';
import type { Actor } from '../store/actor.ts';

const messages = defineMessages('request', {
  unknownType: 'There is no such address. Resource types: {types}.',
  unknownAddress: 'There is no such address. Records are under {path}.',
  operationElsewhere: 'The operation {name} is not available here. Call it as {paths}.',
  unknownOperation: 'The operation {name} is not supported. Supported: {names}.',
  invalidParameter: 'Unknown or invalid parameter. Supported: {names}.',
  invalidUtf8: 'The body is not valid UTF-8.',
});

/** A body that is built while it is sent. */
export interface BodyStream {
  readonly pieces: Iterable<BodyPart> | AsyncIterable<BodyPart>;
  /** Bytes of the largest piece. If it is given, the stream is refused while too much is unread. */
  readonly largest?: number;
  /** True if each piece is sent when it is built. Small pieces are otherwise sent together. */
  readonly isLive?: true;
  /** True if building the pieces is the work of the request, which goes on when the client has disconnected. */
  readonly isWork?: true;
}

/** Response of a handler. send.ts adds the common headers and sends it. */
export interface ApiResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A function writes events to the client until either ends. */
  readonly body?: string | Buffer | BodyStream | ((client: ServerResponse) => void);
  /** True if a large body was only read. It is refused while clients leave too much unread. */
  readonly isRefusable?: true;
  /** Called when the response has started, before the rest of a large body. */
  readonly onStarted?: () => void;
}

/** Responds to a request, or throws an error. */
export type Handler = (request: ApiRequest) => Promise<ApiResponse> | ApiResponse;

/** Runs before the handler: lets a request pass, throws, or responds. */
export type Guard = (request: ApiRequest) => ApiResponse | undefined;

/** Finds the principal of a request by its token, or rejects it. See {@link ApiRequest.principal}. */
export type Authenticate = (request: ApiRequest) => void;

/** Reads the body of a request, or rejects it. */
export type BodyReader = (request: ApiRequest) => Promise<void>;

export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Facts that a handler leaves for the audit log and the activity log. They also count if it throws later. */
export interface RequestNotes {
  /** True if the change itself already wrote the audit entry. */
  isAudited?: true;
  /** Audited target if it differs from the address. */
  audited?: string;
  /** Address of a record that a request disclosed without naming it. The entry is a read. */
  disclosed?: string;
  /** Address of the search that a request caused. */
  searched?: string;
  /** Remote server of a request, and the path below this API that corresponds to the remote path. */
  connection?: { readonly name: string; readonly path: string };
}

/** End of a response, complete or not. */
export interface SentResponse {
  readonly status: number;
  /** False if the client disconnected before. */
  readonly isComplete: boolean;
  /** Body bytes. */
  readonly bytes: number;
  /** Milliseconds since the head of the request. */
  readonly ms: number;
  findHeader(name: string): string | undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Path of a request target, which may contain the scheme and host (RFC 9112 section 3.2). */
const targetPath = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?([^?#]*)/i;

/** A request. Each part is parsed once, when it is first read. */
export class ApiRequest {
  readonly method: string;
  /** Address as sent, with its query. */
  readonly url: string;
  /** Path of the address, not decoded. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Identifies the request in its response, its OperationOutcome and the logs. */
  readonly requestId: string = randomUUID();
  /** Node's request, for its socket and for bodies that are read as a stream. */
  readonly incoming: IncomingMessage;
  readonly notes: RequestNotes = {};
  /** Headers of every response, also of a rejection. */
  readonly responseHeaders: Record<string, string> = {};
  /** Decoded parameters of the path. Set by the route table. */
  params: Readonly<Record<string, string>> = {};
  /** Bytes of the body. Set by a {@link BodyReader}. */
  body: Buffer | undefined;
  /** Caller of the request. Undefined before authentication and at open addresses. */
  caller: Principal | undefined;
  private resourceType: ResourceType | undefined;
  private pairs: QueryPairs | undefined;
  private disconnection: AbortController | undefined;
  private sent: SentResponse | undefined;
  private readonly listeners: ((sent: SentResponse) => void)[] = [];

  constructor(incoming: IncomingMessage) {
    const { method = 'GET', url = '/', headers } = incoming;
    this.incoming = incoming;
    this.method = method;
    this.url = url;
    this.headers = headers;
    this.path = (targetPath.exec(url)?.[1] ?? '') || '/';
  }

  /**
   * Resource type of the address.
   *
   * @throws FhirError `unknown-path` for an unsupported type.
   */
  get type(): ResourceType {
    this.resourceType ??= parseResourceType(this.params.type);
    return this.resourceType;
  }

  /** Record id of the address, or an empty string. */
  get id(): string {
    return this.params.id ?? '';
  }

  /**
   * Decoded names and values of the query.
   *
   * @throws FhirError `malformed` like parseQuery.
   */
  get query(): QueryPairs {
    if (this.pairs) return this.pairs;
    const offset = this.url.indexOf('?');
    this.pairs = offset === -1 ? [] : parseQuery(this.url.slice(offset + 1));
    return this.pairs;
  }

  /** Returns the value of a header. Its name has any spelling. */
  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  /**
   * Returns the text of the body without a byte order mark (RFC 8259 section 8.1). The media type was checked
   * before.
   *
   * @throws FhirError `malformed` if the bytes are not UTF-8.
   */
  readText(): string {
    try {
      return this.body ? utf8.decode(this.body) : '';
    } catch {
      throw new FhirError('malformed', messages.invalidUtf8());
    }
  }

  /** Bearer token, or an empty string. */
  get bearerToken(): string {
    return findBearerToken(this.headers);
  }

  /** Principal of the token. Open addresses have none. */
  get principal(): Principal {
    if (this.caller) return this.caller;
    throw new TypeError('The route is open');
  }

  /** Actor of the request for the audit log. */
  get actor(): Actor {
    const { name, person } = this.principal;
    return { who: name, ...(person !== undefined && { person }), requestId: this.requestId };
  }

  /** Address of the client, or an empty string. A closed socket has none. */
  get remoteAddress(): string {
    return this.incoming.socket.remoteAddress ?? '';
  }

  /** Aborts if the client disconnects before the response is complete. */
  get signal(): AbortSignal {
    if (!this.disconnection) {
      const controller = new AbortController();
      this.disconnection = controller;
      this.onClosed(({ isComplete }) => {
        if (!isComplete) controller.abort();
      });
    }
    return this.disconnection.signal;
  }

  /** Calls back once when the response is complete or its client has disconnected. */
  onClosed(listener: (sent: SentResponse) => void): void {
    if (this.sent) listener(this.sent);
    else this.listeners.push(listener);
  }

  /** Ends the request with its response. */
  close(sent: SentResponse): void {
    this.sent = sent;
    for (const listener of this.listeners) listener(sent);
  }
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
export function assertSupportedAddress(request: ApiRequest): void {
  const { type } = request.params;
  if (type === undefined) return;
  if ([type, request.id].some((segment) => segment.startsWith('$'))) throw createUnsupportedError(request);
  parseResourceType(type);
}

function parseResourceType(type: string | undefined): ResourceType {
  if (type !== undefined && isResourceType(type)) return type;
  throw new FhirError('unknown-path', messages.unknownType({ types: typeList }));
}

/** Creates the error of an unknown address. The error names an unsupported operation (row 84). */
export function createUnsupportedError({ path }: ApiRequest): FhirError {
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
  request: ApiRequest,
  readers: ListReaders<Query>,
): Partial<Query> {
  const query: Partial<Query> = {};
  for (const [name, text] of request.query) {
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
