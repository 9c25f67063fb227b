/** Makes the answers of other servers uniform for the page: FHIR as JSON, or an OperationOutcome that says what came. */
import { gatewayPath } from '../../core/api/gateway.ts';
import type { Asked, Identity } from '../../core/api/identity.ts';
import { withoutCoding } from '../../core/api/precondition.ts';
import type { Connection } from '../../core/app/connections.ts';
import { identifyBody } from './identify.ts';
import { RemoteFault, unusable } from './remote-fault.ts';
import type { WireAnswer } from './wire.ts';

export interface PageAnswer {
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

/** Headers that are handed on as they are. */
const kept = ['etag', 'last-modified', 'preference-applied', 'retry-after', 'accept-patch', 'allow'] as const;

const plainValue = /^[\x20-\x7e]{1,500}$/;

/**
 * The answer for the page.
 *
 * @throws RemoteFault where a success is not FHIR as JSON, or about something that was not asked for, or the server
 *   failed without saying so in FHIR.
 */
export async function pageAnswer(answer: WireAnswer, context: AnswerContext): Promise<PageAnswer> {
  const { status, body } = answer;
  const { host } = context.url;
  const headers = headersOf(answer, context);
  if (body.length === 0 && isBodiless(status, context)) return { status, headers, body };
  const identity = await identifyBody(body, context.asked);
  if (identity === undefined) {
    const text = `The answer of ${host} holds more than can be looked through; ask for less.`;
    throw unusable(text);
  }
  if (identity !== 'no FHIR') {
    if (status < 400) checkIdentity(identity, host, context);
    const type = jsonType(answer.headers['content-type']);
    return { status, headers: { ...headers, 'Content-Type': type }, body };
  }
  if (status >= 400 && status < 500) {
    const text = `${host} answered ${status}${meanings[status] ?? ''} and said no more that can be read.`;
    return { status, headers: { ...headers, 'Content-Type': json }, body: outcome(text) };
  }
  if (status >= 500) {
    throw new RemoteFault(
      'unusable',
      `${host} failed: it answered ${status} and no FHIR.`,
      true,
      'fhir',
      true,
    );
  }
  throw unusable(`${host} answered ${status} with ${describe(answer)}, not FHIR as JSON.`);
}

const json = 'application/json; charset=utf-8';

const meanings: Readonly<Record<number, string>> = {
  403: ' (not allowed)',
  404: ' (not found)',
  405: ' (not offered)',
  409: ' (conflict)',
  410: ' (deleted)',
  412: ' (changed meanwhile)',
  415: ' (media type not taken)',
  422: ' (refused by a rule)',
  429: ' (too many requests)',
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
  const what = asked?.type ?? 'resources';
  const text = asked?.list
    ? `${host} listed something other than the ${what} that was searched for. Nothing of it is shown.`
    : `${host} answered something other than the ${what} that was asked for. Nothing of it is shown.`;
  throw unusable(text);
}

function jsonType(type: string | undefined): string {
  const plain = type?.trim() ?? '';
  return /^application\/(?:[a-z.+-]*json[a-z.+-]*)(?:;[\x20-\x7e]*)?$/i.test(plain) ? plain : json;
}

function describe({ headers, body }: WireAnswer): string {
  if (body.length === 0) return 'nothing';
  const type = headers['content-type'] ?? '';
  if (/html/i.test(type) || /^\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString('latin1'))) {
    return 'a web page';
  }
  if (/xml/i.test(type)) return 'XML';
  return /json/i.test(type) ? 'other JSON' : 'text of another kind';
}

function headersOf({ headers }: WireAnswer, context: AnswerContext): Record<string, string> {
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

function outcome(text: string): Buffer {
  const issue = [{ severity: 'error', code: 'processing', details: { text } }];
  return Buffer.from(JSON.stringify({ resourceType: 'OperationOutcome', issue }));
}
