/** Connections of a test server, made through its own addresses. */
import type { FurtherSecret } from '../../../core/app/connections.ts';
import type { Answer, TestServer } from '../../testing/test-server.ts';

export interface Connected {
  readonly id: string;
  /** Sends below the connection's base. */
  send(method: string, path: string, body?: string, headers?: Record<string, string>): Promise<Answer>;
  summary(): Promise<any>;
}

let count = 0;

/** Adds a connection in normal mode, with a secret if there is one. */
export async function connect(
  server: TestServer,
  settings: Readonly<Record<string, unknown>>,
  secret?: string,
  furtherSecrets: Readonly<Partial<Record<FurtherSecret, string>>> = {},
): Promise<Connected> {
  count += 1;
  const body = JSON.stringify({ name: `Peer ${count}`, mode: 'normal', ...settings });
  const created = await server.send('POST', '/app/connections', body);
  if (created.status !== 201) throw new Error(`connecting answered ${created.status}: ${created.text}`);
  const { id } = created.json;
  if (secret !== undefined) {
    const set = await server.send('PUT', `/app/connections/${id}/secret`, JSON.stringify({ secret }));
    if (set.status !== 204) throw new Error(`the secret answered ${set.status}: ${set.text}`);
  }
  for (const [kind, value] of Object.entries(furtherSecrets)) {
    const body = JSON.stringify({ secret: value });
    const set = await server.send('PUT', `/app/connections/${id}/secrets/${kind}`, body);
    if (set.status !== 204) throw new Error(`the secret answered ${set.status}: ${set.text}`);
  }
  return {
    id,
    send: (method, path, text, headers) =>
      server.send(method, `/app/connections/${id}/fhir-r4/v1${path}`, text, headers),
    summary: async () => (await server.send('GET', `/app/connections/${id}`)).json,
  };
}
