/** Servers on one PostgreSQL store, for tests. Each server has its own folder and token. */
import type { ServerSettings } from '../settings.ts';
import { startSharedServer, type SharedOptions, type SharedServer } from '../shared/start-shared.ts';
import { noFault, noFaultBut, serverOfTest, type TestParts } from './test-server.ts';

export type SharedTestServer = SharedServer & TestParts;

/** A log that accepts the retry message of validation, for servers whose database becomes unreachable. */
export const noLastingFault = noFaultBut(/tried again in a minute$/);

/** Starts a server on the store at an address. An error in its log fails the test. */
export function startSharedTestServer(
  address: string,
  settings: Partial<ServerSettings> = {},
  log = noFault,
  options: Pick<SharedOptions, 'openId'> = {},
): Promise<SharedTestServer> {
  return serverOfTest(
    (testOptions) => startSharedServer({ ...testOptions, settings, address, ...options }),
    log,
  );
}
