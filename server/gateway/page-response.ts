/** Makes responses of other servers uniform for the page: FHIR JSON or an OperationOutcome. */
import { gatewayPath } from '../../core/api/contract.ts';
import type { ExpectedIdentity, Identity } from '../../core/api/identity.ts';
import { withoutCoding } from '../../core/api/precondition.ts';
import type { Connection } from '../../core/app/connections.ts';
import { FhirError, toOutcome } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { identifyBody } from './identify.ts';
import { RemoteError, unusable } from './remote-error.ts';
import type { TransportResponse } from './http-transport.ts';

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came, byte for byte, or empty. */
  readonly body: Buffer;
}

export interface AnswerContext {
  readonly connection: Connection;
  /** Address of the last request, after redirects. */
  readonly url: URL;
  readonly method: string;
  readonly write: boolean;
  /** Expected identity of the response; absent if it is about no record. */
  readonly expected: ExpectedIdentity | undefined;
  /** Base URL of this server. */
  readonly base: string;
}

const messages = defineMessages('gateway.answer', {
  tooLarge: 'The response from {host} is too large to process. Narrow the request.',
  unexplained: '{host} answered {status} without a readable explanation.',
  notAllowed: '{host} answered {status} (not allowed) without a readable explanation.',
  notFound: '{host} answered {status} (not found) without a readable explanation.',
  notSupported: '{host} answered {status} (not supported) without a readable explanation.',
  conflict: '{host} answered {status} (conflict) without a readable explanation.',
  deleted: '{host} answered {status} (deleted) without a readable explanation.',
  changed: '{host} answered {status} (changed by someone else) without a readable explanation.',
  mediaType: '{host} answered {status} (unsupported media type) without a readable explanation.',
  refused: '{host} answered {status} (refused by a rule) without a readable explanation.',
  tooMany: '{host} answered {status} (too many requests) without a readable explanation.',
  failed: '{host} failed with status {status} and no FHIR response.',
  empty: '{host} answered {status} with nothing, not FHIR JSON.',
  webPage: '{host} answered {status} with a web page, not FHIR JSON.',
  xml: '{host} answered {status} with XML, not FHIR JSON.',
  otherJson: '{host} answered {status} with other JSON, not FHIR JSON.',
  otherText: '{host} answered {status} with other text, not FHIR JSON.',
  otherMatches: '{host} returned something other than the {type} searched for. Nothing is shown.',
  otherRecord: '{host} returned something other than the requested {type}. Nothing is shown.',
  otherResources: '{host} returned something other than the requested resources. Nothing is shown.',
});

/** Headers that are passed on unchanged. */
const forwardedHeaders = [
  'etag',
  'last-modified',
  'preference-applied',
  'retry-after',
  'accept-patch',
  'allow',
] as const;

const plainValue = /^[\x20-\x7e]{1,500}$/;

/**
 * Returns the response for the page.
 *
 * @throws RemoteError if a success is not FHIR JSON or has another identity, or if the server failed
 *   without an OperationOutcome.
 */
export async function toPageResponse(
  response: TransportResponse,
  context: AnswerContext,
): Promise<PageResponse> {
  const { status, body } = response;
  const { host } = context.url;
  const headers = headersOf(response, context);
  if (body.length === 0 && isBodiless(status, context)) return { status, headers, body };
  const identity = await identifyBody(body, context.expected);
  if (identity === undefined) throw unusable(messages.tooLarge({ host }));
  if (identity !== 'no FHIR') {
    if (status < 400) checkIdentity(identity, host, context);
    const type = jsonType(response.headers['content-type']);
    return { status, headers: { ...headers, 'Content-Type': type }, body };
  }
  if (status >= 400 && status < 500) {
    const message = (unexplained[status] ?? messages.unexplained)({ host, status });
    return { status, headers: { ...headers, 'Content-Type': json }, body: outcomeBody(message) };
  }
  if (status >= 500) {
    throw new RemoteError('unusable', messages.failed({ host, status }), true, 'fhir', true);
  }
  throw unusable(contentMessage(response)({ host, status }));
}

const json = 'application/json; charset=utf-8';

type StatusMessage = (parameters: { readonly host: string; readonly status: number }) => Message;

/** Messages for client errors whose body has no OperationOutcome, by status. */
const unexplained: Readonly<Record<number, StatusMessage>> = {
  403: messages.notAllowed,
  404: messages.notFound,
  405: messages.notSupported,
  409: messages.conflict,
  410: messages.deleted,
  412: messages.changed,
  415: messages.mediaType,
  422: messages.refused,
  429: messages.tooMany,
};

/** A write may have no response body. Some statuses never have one (RFC 9110). */
function isBodiless(status: number, { method, write }: AnswerContext): boolean {
  if (status === 304 || method === 'HEAD') return true;
  return write && status < 300;
}

/**
 * A server may know several records by one name. A record with another identity is neither shown nor saved.
 */
function checkIdentity(identity: Identity, host: string, { expected, write }: AnswerContext): void {
  // A search may return only an OperationOutcome. A write may return one as well.
  const mayBeOutcome = write || expected?.list === true || expected === undefined;
  if (identity === 'asked' || (identity === 'outcome' && mayBeOutcome)) return;
  const type = expected?.type;
  if (type === undefined) throw unusable(messages.otherResources({ host }));
  throw unusable(
    expected?.list ? messages.otherMatches({ host, type }) : messages.otherRecord({ host, type }),
  );
}

function jsonType(type: string | undefined): string {
  const plain = type?.trim() ?? '';
  return /^application\/(?:[a-z.+-]*json[a-z.+-]*)(?:;[\x20-\x7e]*)?$/i.test(plain) ? plain : json;
}

/** Returns the message for a success whose body is not FHIR JSON. */
function contentMessage({ headers, body }: TransportResponse): StatusMessage {
  if (body.length === 0) return messages.empty;
  const type = headers['content-type'] ?? '';
  if (/html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString('latin1'))) {
    return messages.webPage;
  }
  if (/xml/i.test(type)) return messages.xml;
  return /json/i.test(type) ? messages.otherJson : messages.otherText;
}

function headersOf({ headers }: TransportResponse, context: AnswerContext): Record<string, string> {
  const responseHeaders: Record<string, string> = {};
  for (const name of forwardedHeaders) {
    const value = headers[name];
    if (typeof value === 'string' && plainValue.test(value)) responseHeaders[name] = value;
  }
  // A reverse proxy that compresses a response adds the coding to its ETag. The server does not know that
  // ETag.
  if (responseHeaders.etag !== undefined)
    responseHeaders.etag = withoutCoding(responseHeaders.etag, headers['content-encoding']);
  const id = headers['x-request-id'];
  if (typeof id === 'string' && plainValue.test(id)) responseHeaders['X-Remote-Request-Id'] = id;
  const location = ownLocation(headers.location ?? headers['content-location'], context);
  if (location !== undefined) responseHeaders.Location = location;
  return responseHeaders;
}

/** Returns the gateway address of a record; undefined outside the base URL. */
function ownLocation(
  location: string | undefined,
  { connection, url, base }: AnswerContext,
): string | undefined {
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const remote = new URL(connection.baseUrl);
  // Some servers return `Type/id` relative to the base, not to the type.
  const relative = /^[A-Z][A-Za-z]*\//.test(location);
  const target = relative ? new URL(`${connection.baseUrl}/${location}`) : new URL(location, url.href);
  if (target.origin !== remote.origin || !target.pathname.startsWith(`${remote.pathname}/`)) return undefined;
  return base + gatewayPath(connection.id) + target.pathname.slice(remote.pathname.length);
}

function outcomeBody(message: Message): Buffer {
  return Buffer.from(JSON.stringify(toOutcome(new FhirError('unprocessable', message))));
}
