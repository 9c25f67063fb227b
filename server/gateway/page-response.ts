/** Makes the answers of other servers uniform for the page: FHIR as JSON, or an OperationOutcome that says what came. */
import { gatewayPath } from '../../core/api/gateway.ts';
import type { Asked, Identity } from '../../core/api/identity.ts';
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
  /** Address that was asked at last. */
  readonly url: URL;
  readonly method: string;
  readonly write: boolean;
  /** What the answer must be about; absent where it is about no record. */
  readonly asked: Asked | undefined;
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

/** Headers that are handed on as they are. */
const kept = ['etag', 'last-modified', 'preference-applied', 'retry-after', 'accept-patch', 'allow'] as const;

const plainValue = /^[\x20-\x7e]{1,500}$/;

/**
 * The answer for the page.
 *
 * @throws RemoteError where a success is not FHIR as JSON, or about something that was not asked for, or the server
 *   failed without saying so in FHIR.
 */
export async function toPageResponse(
  answer: TransportResponse,
  context: AnswerContext,
): Promise<PageResponse> {
  const { status, body } = answer;
  const { host } = context.url;
  const headers = headersOf(answer, context);
  if (body.length === 0 && isBodiless(status, context)) return { status, headers, body };
  const identity = await identifyBody(body, context.asked);
  if (identity === undefined) throw unusable(messages.tooLarge({ host }));
  if (identity !== 'no FHIR') {
    if (status < 400) checkIdentity(identity, host, context);
    const type = jsonType(answer.headers['content-type']);
    return { status, headers: { ...headers, 'Content-Type': type }, body };
  }
  if (status >= 400 && status < 500) {
    const message = (unexplained[status] ?? messages.unexplained)({ host, status });
    return { status, headers: { ...headers, 'Content-Type': json }, body: outcomeBody(message) };
  }
  if (status >= 500) {
    throw new RemoteError('unusable', messages.failed({ host, status }), true, 'fhir', true);
  }
  throw unusable(contentMessage(answer)({ host, status }));
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

/** A write may be answered without a body, and so may whatever has none by HTTP's rules. */
function isBodiless(status: number, { method, write }: AnswerContext): boolean {
  if (status === 304 || method === 'HEAD') return true;
  return write && status < 300;
}

/** A server is asked for one record, and may know several by its name: what is another is neither shown nor saved. */
function checkIdentity(identity: Identity, host: string, { asked, write }: AnswerContext): void {
  // A search may find nothing but something to say, and a write be answered with what the server thinks of it.
  const mayBeOutcome = write || asked?.list === true || asked === undefined;
  if (identity === 'asked' || (identity === 'outcome' && mayBeOutcome)) return;
  const type = asked?.type;
  if (type === undefined) throw unusable(messages.otherResources({ host }));
  throw unusable(asked?.list ? messages.otherMatches({ host, type }) : messages.otherRecord({ host, type }));
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
  const found: Record<string, string> = {};
  for (const name of kept) {
    const value = headers[name];
    if (typeof value === 'string' && plainValue.test(value)) found[name] = value;
  }
  // A front server that packs an answer writes the coding into its tag, and the server behind does not know that tag.
  if (found.etag !== undefined) found.etag = withoutCoding(found.etag, headers['content-encoding']);
  const id = headers['x-request-id'];
  if (typeof id === 'string' && plainValue.test(id)) found['X-Remote-Request-Id'] = id;
  const location = ownLocation(headers.location ?? headers['content-location'], context);
  if (location !== undefined) found.Location = location;
  return found;
}

/** The address of a record below the gateway; undefined where it is not below the base URL. */
function ownLocation(
  location: string | undefined,
  { connection, url, base }: AnswerContext,
): string | undefined {
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const remote = new URL(connection.baseUrl);
  // Some servers name the record alone, which stands below the base and not beside the type.
  const relative = /^[A-Z][A-Za-z]*\//.test(location);
  const found = relative ? new URL(`${connection.baseUrl}/${location}`) : new URL(location, url.href);
  if (found.origin !== remote.origin || !found.pathname.startsWith(`${remote.pathname}/`)) return undefined;
  return base + gatewayPath(connection.id) + found.pathname.slice(remote.pathname.length);
}

function outcomeBody(message: Message): Buffer {
  return Buffer.from(JSON.stringify(toOutcome(new FhirError('unprocessable', message))));
}
