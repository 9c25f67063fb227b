import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from '../../packages/packages.ts';
import { onSharedStore, type Json, type TestServer } from '../../testing/test-server.ts';

/** Returns helpers for packages of the current server. Each test has its own server. */
export function packagesOf(serverNow: () => TestServer) {
  const folder = () => join(serverNow().dataDir, packageFolders[onSharedStore ? 'shared' : 'own']);
  return {
    folder,
    add: async (body: Buffer, type = 'application/gzip') => {
      const { origin, token } = serverNow();
      const response = await fetch(`${origin}/app/packages`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': type },
        body: new Uint8Array(body),
      });
      const json: Json = await response.json();
      return { status: response.status, json, message: json.issue?.[0].details.text as string | undefined };
    },
    list: async () => (await serverNow().send('GET', '/app/packages')).json.packages as Json[],
    /** Returns the names of all files in the folder. */
    inFolder: (): string[] => {
      if (!existsSync(folder())) return [];
      return readdirSync(folder(), { recursive: true, encoding: 'utf8' }).sort();
    },
  };
}
