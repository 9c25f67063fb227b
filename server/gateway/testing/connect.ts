/** Connections of a test server, made through its own addresses. */
import type { FurtherSecret } from '../../../core/app/connections.ts';
import type { Answer, TestServer } from '../../testing/test-server.ts';

export interface Connected {
  readonly id: string;
  /** Sends below the connection's base. */
  send(method: string, place: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  summary(): Promise<any>;
}

let count = 0;

/** Adds a connection that writes freely, with a secret where one is given. */
export async function connect(
  server: TestServer,
  settings: Readonly<Record<string, unknown>>,
  secret?: string,
  further: Readonly<Partial<Record<FurtherSecret, string>>> = {},
): Promise<Connected> {
  count += 1;
  const body = JSON.stringify({ name: `Peer ${count}`, mode: 'normal', ...settings });
  const made = await server.send('POST', '/app/connections', body);
  if (made.status !== 201) throw new Error(`connecting answered ${made.status}: ${made.text}`);
  const { id } = made.json;
  if (secret !== undefined) {
    const set = await server.send('PUT', `/app/connections/${id}/secret`, JSON.stringify({ secret }));
    if (set.status !== 204) throw new Error(`the secret answered ${set.status}: ${set.text}`);
  }
  for (const [kind, value] of Object.entries(further)) {
    const body = JSON.stringify({ secret: value });
    const set = await server.send('PUT', `/app/connections/${id}/secrets/${kind}`, body);
    if (set.status !== 204) throw new Error(`the secret answered ${set.status}: ${set.text}`);
  }
  return {
    id,
    send: (method, place, text, headers) =>
      server.send(method, `/app/connections/${id}/fhir-r4/v1${place}`, text, headers),
    summary: async () => (await server.send('GET', `/app/connections/${id}`)).json,
  };
}
