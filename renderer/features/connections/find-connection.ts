import { narrow } from '../../../core/api/narrow.ts';
import { ConnectionList, type ConnectionSummary } from '../../../core/app/connections.ts';
import { localConnection } from '../../platform/connection.ts';

/** The connection that bears a name now; undefined where none does. Rejects as the client does. */
export async function findConnection(name: string): Promise<ConnectionSummary | 'local' | undefined> {
  if (name === localConnection.name) return 'local';
  const { connections } = narrow(await localConnection.client.app('GET', '/connections'), ConnectionList);
  return connections.find((one) => one.name === name);
}
