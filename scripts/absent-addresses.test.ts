import { expect, test } from 'vitest';
import { migrate } from '../server/shared/postgres/migrate.ts';
import { testDatabase } from '../server/testing/postgres.ts';
import { startSharedTestServer } from '../server/testing/shared-server.ts';
import { appSections } from './app-addresses.ts';

const database = await testDatabase();

test.skipIf(!database)(
  'serves every documented address over a shared store (not run without PostgreSQL)',
  async () => {
    const { keeper = '', address = '' } = database ?? {};
    await migrate(keeper, 'server');
    const server = await startSharedTestServer(address);
    const rows = appSections.flatMap((section) => Object.keys(section.rows));
    const missing: string[] = [];
    for (const row of rows) {
      const [method = '', path = ''] = row.split(' ');
      const { headers } = await server.send('OPTIONS', path.replaceAll(/\{[^}]*\}/g, 'x'));
      const allow = headers.get('allow') ?? '';
      if (method !== 'any' && !allow.split(', ').includes(method)) missing.push(row);
    }
    expect(missing).toEqual([]);
    await server.remove();
    await database?.remove();
  },
);
