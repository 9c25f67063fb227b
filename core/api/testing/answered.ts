import { createClient, type Client, type ClientOptions } from '../client.ts';

/** A request as a server gets it. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answer {
  readonly status?: number;
  /** A text, or what is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const base = 'http://here';

/** A client of a server that answers by its rule; and what it was sent. */
export function clientOf(
  answer: (sent: Sent) => Answer,
  options: Partial<ClientOptions> = {},
): { readonly client: Client; readonly sent: readonly Sent[] } {
  const sent: Sent[] = [];
  const client = createClient({
    base,
    fetch: (address, { method, headers, body }) => {
      const one = { method, path: address.slice(base.length), headers, ...(body !== undefined && { body }) };
      sent.push(one);
      const { status = 200, body: answered = {}, headers: others = {} } = answer(one);
      return Promise.resolve({
        status,
        headers: { get: (name) => others[name] ?? null },
        text: () => Promise.resolve(typeof answered === 'string' ? answered : JSON.stringify(answered)),
      });
    },
    ...options,
  });
  return { client, sent };
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return 'none';
}

/** Another server, as the client knows it. */
export const remote = { id: 'r', baseUrl: 'https://clinic.example:8443/fhir' };

/** Where records stand here, and behind the gateway. */
export const local = '/fhir-r4/v1/CarePlan';
export const there = `/app/connections/r${local}`;

export const plan = (parts: object = {}) => ({
  ...{ resourceType: 'CarePlan', id: 'a', meta: { versionId: '3' } },
  ...parts,
});

export const told = (text: string) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'invalid', details: { text } }],
});
