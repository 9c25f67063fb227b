/** Servers over one PostgreSQL store, for tests: each with a folder of its own, and a token of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newToken } from '../access/secret.ts';
import { pageFolder } from '../serve.ts';
import type { ServerSettings } from '../settings.ts';
import { startSharedServer, type SharedServer } from '../start-shared.ts';
import { sendTo, type TestServer } from './test-server.ts';

export type SharedTestServer = SharedServer & Pick<TestServer, 'token' | 'dataDir' | 'send' | 'remove'>;

/** A server over the store at an address; a fault in its log is a fault of the test. */
export async function startSharedTestServer(
  address: string,
  settings: Partial<ServerSettings> = {},
): Promise<SharedTestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-test-'));
  const token = newToken();
  const log = (line: string) => {
    throw new Error(`The server logged a fault: ${line}`);
  };
  const server = await startSharedServer({ dataDir, port: 0, token, pageFolder, log, settings, address });
  return {
    ...server,
    token,
    dataDir,
    send: (...request) => sendTo(server.origin, `Bearer ${token}`, ...request),
    async remove() {
      await server.close();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
