import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { derive } from '../../../core/derive/derive.ts';
import { readCriteria } from '../../../core/fhir/search.ts';
import { scan } from '../../../core/json/scan.ts';
import { recordMigrations } from './migrations.ts';
import { closeDatabase, openDatabase } from '../../sqlite/open-database.ts';
import { connect, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { NewVersion } from '../store.ts';
import { verifyFile } from './verify.ts';
import { versionWriter, IndexBacklog, maxPending } from './version-writer.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'chartkeeper-backlog-'));
  path = join(folder, 'records.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

function versionOf(id: string, version: number, title: string): NewVersion {
  const lastUpdated = `2026-01-01T00:00:0${version}.000Z`;
  const meta = { versionId: String(version), lastUpdated };
  const text = JSON.stringify({ resourceType: 'Composition', id, meta, status: 'final', title });
  const stamp = { id, version, lastUpdated, text, type: 'Composition', author: 'test' } as const;
  const operation = version === 1 ? 'create' : 'update';
  const { root } = scan(text);
  if (root.kind !== 'object') throw new TypeError(text);
  return { ...stamp, operation, ...derive('Composition', root, { today: '2026-01-01' }) };
}

const byTitle = (title: string) => readCriteria('Composition', [['title', title]]);
const ids = async (store: Awaited<ReturnType<typeof openRecordStore>>, title: string) =>
  [...(await store.search(byTitle(title), 10)).records].map(({ id }) => id);

/** Lists titles with index rows, as another process sees the file. */
const indexedTitles = (database: SqliteDatabase) =>
  database.prepare<unknown[], string>('SELECT folded FROM string ORDER BY folded').pluck().all();

async function listProblems(file: string): Promise<string[]> {
  const problems: string[] = [];
  for await (const { where, problem } of verifyFile(file)) problems.push(`${where} ${problem}`);
  return problems;
}

test('finds a new record at once, only by its latest values', async () => {
  const store = await openRecordStore(path);
  await store.insert(versionOf('one', 1, 'first'));
  await store.insert(versionOf('two', 1, 'other'));
  await store.replace(versionOf('one', 2, 'second'), 1);
  expect([await ids(store, 'first'), await ids(store, 'second'), await ids(store, 'other')]).toEqual([
    [],
    ['one'],
    ['two'],
  ]);
  await store.replace(versionOf('one', 3, 'first'), 2);
  expect([await store.total(byTitle('first')), await store.total(byTitle('second'))]).toEqual([1, 0]);
  await store.close();
});

test('finds a record of the same commit in a conditional create', async () => {
  const store = await openRecordStore(path);
  const [, conditionalCreate] = await Promise.all([
    store.insert(versionOf('one', 1, 'same')),
    store.insertUnlessMatched(versionOf('two', 1, 'same'), byTitle('same')),
  ]);
  expect([...conditionalCreate.records].map(({ id }) => id)).toEqual(['one']);
  await store.close();
});

test('writes the index rows of many records in one transaction', () => {
  const database = openDatabase(path, recordMigrations);
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  for (let number = 1; number <= maxPending; number += 1) {
    expect(backlog.isFull).toBe(false);
    writer.insert(versionOf(`r${number}`, 1, 'waits'));
  }
  expect([backlog.isFull, indexedTitles(database)]).toEqual([true, []]);
  backlog.writeAll();
  expect([backlog.isEmpty, indexedTitles(database).length]).toEqual([true, maxPending]);
  closeDatabase(database);
});

test('creates pending index rows after a kill, and verify accepts that they are missing', async () => {
  // A new store has current derivations, so verify compares its index rows.
  await (await openRecordStore(path)).close();
  const database = openDatabase(path, recordMigrations);
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  writer.insert(versionOf('one', 1, 'made'));
  backlog.writeAll();
  writer.insert(versionOf('two', 1, 'waiting'));
  writer.replace(versionOf('one', 2, 'changed'), 1);
  // Copy of the files, as a kill leaves them.
  const copy = `${folder}-killed`;
  cpSync(folder, copy, { recursive: true });
  closeDatabase(database);

  const killed = join(copy, 'records.db');
  expect(await listProblems(killed)).toEqual([]);
  const reader = connect(killed, { readonly: true });
  expect(indexedTitles(reader)).toEqual(['made']);
  reader.close();
  const store = await openRecordStore(killed);
  expect([await ids(store, 'made'), await ids(store, 'changed'), await ids(store, 'waiting')]).toEqual([
    [],
    ['one'],
    ['two'],
  ]);
  await store.close();
  expect(await listProblems(killed)).toEqual([]);
  rmSync(copy, { recursive: true });
});

test('creates the index rows of a version with the key of an erased one after a kill', async () => {
  const store = await openRecordStore(path);
  await store.insert(versionOf('one', 1, 'kept'));
  await store.insert(versionOf('two', 1, 'erased'));
  expect(await ids(store, 'erased')).toEqual(['two']);
  const erasure = {
    type: 'Composition',
    id: 'two',
    who: 'owner',
    reason: 'Asked for.',
    requestId: 'r',
  } as const;
  expect(await store.erase([erasure])).toEqual(['Composition/two']);
  await store.insert(versionOf('three', 1, 'later'));
  const copy = `${folder}-killed`;
  cpSync(folder, copy, { recursive: true });
  await store.close();

  const killed = await openRecordStore(join(copy, 'records.db'));
  expect([await ids(killed, 'later'), await ids(killed, 'kept')]).toEqual([['three'], ['one']]);
  await killed.close();
  rmSync(copy, { recursive: true });
});

test('creates pending index rows of earlier writes after a rollback', () => {
  const database = openDatabase(path, recordMigrations);
  const backlog = new IndexBacklog(database);
  const writer = versionWriter(database, backlog);
  writer.insert(versionOf('kept', 1, 'kept'));
  database.exec('BEGIN');
  writer.insert(versionOf('lost', 1, 'lost'));
  backlog.writeAll();
  database.exec('ROLLBACK');
  backlog.onRollback();
  expect([backlog.isEmpty, indexedTitles(database)]).toEqual([false, []]);
  backlog.writeAll();
  expect([backlog.isEmpty, indexedTitles(database)]).toEqual([true, ['kept']]);
  closeDatabase(database);
});

test('finds pending records on a full disk without a write', () => {
  const database = openDatabase(path, recordMigrations);
  const backlog = new IndexBacklog(database);
  versionWriter(database, backlog).insert(versionOf('one', 1, 'found'));
  const full = Object.assign(new Error('full'), { code: 'ENOSPC' });
  const commit = () => {
    throw full;
  };
  expect(backlog.runIndexed(() => indexedTitles(database), commit)).toEqual(['found']);
  expect([database.inTransaction, indexedTitles(database), backlog.isEmpty]).toEqual([false, [], false]);
  const otherError = new Error('other');
  expect(() =>
    backlog.runIndexed(
      () => [],
      () => {
        throw otherError;
      },
    ),
  ).toThrow(otherError);
  closeDatabase(database);
});
