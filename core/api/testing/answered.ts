import { createClient, type Client, type ClientOptions } from '../client.ts';

/** Request as the fake server receives it. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface FakeResponse {
  readonly status?: number;
  /** Text, or a value to send as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const base = 'http://here';

/** Creates a client of a fake server. Returns it with the list of its requests. */
export function clientOf(
  respond: (request: SentRequest) => FakeResponse,
  options: Partial<ClientOptions> = {},
): { readonly client: Client; readonly requests: readonly SentRequest[] } {
  const requests: SentRequest[] = [];
  const client = createClient({
    base,
    fetch: (address, { method, headers, body }) => {
      const request = {
        method,
        path: address.slice(base.length),
        headers,
        ...(body !== undefined && { body }),
      };
      requests.push(request);
      const { status = 200, body: responseBody = {}, headers: responseHeaders = {} } = respond(request);
      return Promise.resolve({
        status,
        headers: { get: (name) => responseHeaders[name] ?? null },
        text: () =>
          Promise.resolve(typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody)),
      });
    },
    ...options,
  });
  return { client, requests };
}

/** Returns the error of a promise; `none` if it is fulfilled. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return 'none';
}

/** A remote server of the client. */
export const remote = { id: 'r', baseUrl: 'https://clinic.example:8443/fhir' };

/** Paths of records on the local server, and behind the gateway. */
export const local = '/fhir-r4/v1/CarePlan';
export const remotePath = `/app/connections/r${local}`;

export const plan = (parts: object = {}) => ({
  resourceType: 'CarePlan',
  id: 'a',
  meta: { versionId: '3' },
  ...parts,
});

export const outcomeOf = (text: string) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'invalid', details: { text } }],
});
