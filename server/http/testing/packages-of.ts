import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../../packages/packages.ts';
import { onSharedStore, type Json, type TestServer } from '../../testing/test-server.ts';

/** What tests do with the packages of a server; it is asked for at each call, as each test has its own. */
export function packagesOf(serverNow: () => TestServer) {
  const folder = () => join(serverNow().dataDir, packageFolders[onSharedStore ? 'shared' : 'own']);
  return {
    folder,
    add: async (body: Buffer, type = 'application/gzip') => {
      const { origin, token } = serverNow();
      const answer = await fetch(`${origin}/app/packages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
        body: new Uint8Array(body),
      });
      const json: Json = await answer.json();
      return { status: answer.status, json, said: json.issue?.[0].details.text as string | undefined };
    },
    list: async () => (await serverNow().send('GET', '/app/packages')).json.packages as Json[],
    /** All that is in the folder. */
    inFolder: (): string[] => {
      if (!existsSync(folder())) return [];
      return readdirSync(folder(), { recursive: true, encoding: 'utf8' }).sort();
    },
  };
}
