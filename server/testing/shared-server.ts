/** Servers over one PostgreSQL store, for tests: each with a folder of its own, and a token of its own. */
import type { ServerSettings } from '../settings.ts';
import { startSharedServer, type SharedOptions, type SharedServer } from '../start-shared.ts';
import { noFault, noFaultBut, serverOfTest, type TestParts } from './test-server.ts';

export type SharedTestServer = SharedServer & TestParts;

/** A log for servers whose database goes away: judging says that it is tried again. */
export const noLastingFault = noFaultBut(/tried again in a minute$/);

/** A server over the store at an address; a fault in its log is a fault of the test. */
export function startSharedTestServer(
  address: string,
  settings: Partial<ServerSettings> = {},
  log = noFault,
  further: Pick<SharedOptions, 'openId'> = {},
): Promise<SharedTestServer> {
  return serverOfTest((own) => startSharedServer({ ...own, settings, address, ...further }), log);
}
