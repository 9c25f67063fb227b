import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../sqlite/open-database.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import { activityLog, wholePage, request } from '../store/testing/contract-activity.ts';
import { activityMigration, activityStore } from './activity.ts';

let folder: string;
let database: SqliteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-activity-'));
  database = openDatabase(join(folder, 'workspace.db'), [activityMigration]);
});
afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true, force: true });
});

activityLog((clock, limit) => activityStore(database, clock, limit));

test('removes cleared entries from all files', async () => {
  const store = activityStore(database, Date.now);
  store.note(request('/fhir-r4/v1/CarePlan/very-particular-id'));
  await store.list({}, wholePage);
  await store.clear();
  for (const name of await readdir(folder)) {
    expect((await readFile(join(folder, name))).includes('very-particular-id')).toBe(false);
  }
});
