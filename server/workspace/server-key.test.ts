import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../sqlite/open-database.ts';
import { activityMigration } from './activity.ts';
import { bulkMigration } from './bulk-runs.ts';
import { connectionMigration } from './connections.ts';
import { draftMigration } from './drafts.ts';
import { searchMigration } from './searches.ts';
import { localServer } from './server-key.ts';
import { settingMigration } from './settings.ts';
import { tokenMigration } from './tokens.ts';
import { openWorkspace } from './workspace.ts';

const previousMigrations = [
  settingMigration,
  tokenMigration,
  activityMigration,
  draftMigration,
  bulkMigration,
  searchMigration,
  connectionMigration,
];

test('assigns data from before connections to the local server', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-server-key-'));
  const path = join(folder, 'workspace.db');
  const database = openDatabase(path, previousMigrations);
  const query = JSON.stringify({ type: 'CarePlan', pairs: [['subject', '17']] });
  database.exec(`
    INSERT INTO draft VALUES ('one', 'CarePlan', 'a', 'A', 3, '"{}"', '"1.00"', 'w', 0);
    INSERT INTO recent_search (query) VALUES ('${query}');
    INSERT INTO saved_search (name, query) VALUES ('Mine', '${query}');
    INSERT INTO bulk_run VALUES ('run', '{"label":"All","operations":[{"path":"/status","value":"1"}]}', 'stopped', 0, 0);
    INSERT INTO bulk_target VALUES ('run', 0, 'CarePlan', 'a', 'A', 'ready', 3, NULL);
    INSERT INTO bulk_target VALUES ('run', 1, 'CarePlan', 'b', 'B', 'done', 3, NULL);
  `);
  database.close();

  const workspace = await openWorkspace(path);
  const { drafts, searches, bulk } = workspace;
  expect(await drafts.read(localServer, 'one')).toMatchObject({
    baseVersion: 3,
    baseEtag: 'W/"3"',
    text: '1.00',
  });
  expect(await searches.recents(localServer)).toHaveLength(1);
  expect(await searches.saved(localServer)).toMatchObject([{ id: 1, name: 'Mine' }]);
  expect(await bulk.list(localServer)).toHaveLength(1);
  expect((await bulk.targets('run', -1)).targets).toEqual([
    expect.objectContaining({ id: 'a', version: 3, etag: 'W/"3"' }),
    expect.objectContaining({ id: 'b', etag: 'W/"3"', before: { version: 2, etag: 'W/"2"' } }),
  ]);
  expect(await drafts.list('https://fhir.example.org/fhir')).toEqual([]);
  await workspace.close();
  await rm(folder, { recursive: true, force: true });
});
