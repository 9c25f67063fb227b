/** What every engine of a store promises, engine by engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import type { StoreReaders } from './asking.ts';
import { openRecordStore } from './sqlite-store.ts';
import { emptied, testDatabase } from '../testing/postgres.ts';
import { migrate } from './postgres/migrate.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import type { FileStore } from './store.ts';
import { connect } from './sqlite.ts';
import { audit } from './testing/contract-audit.ts';
import { companions } from './testing/contract-companions.ts';
import { damage } from './testing/contract-damage.ts';
import { erasure } from './testing/contract-erasure.ts';
import { findings } from './testing/contract-findings.ts';
import { pages } from './testing/contract-pages.ts';
import { search } from './testing/contract-search.ts';
import type { Engine } from './testing/contract-store.ts';
import { versions } from './testing/contract-versions.ts';

const damageSql = (id: string, version: number) =>
  `UPDATE version SET body = replace(body, 'title', 'tutle') WHERE id = '${id}' AND version = ${version}`;

/** @param readers - Threads answer from so many records on. */
const sqlite = (readers?: StoreReaders): Engine<FileStore> => ({
  name: 'SQLite',
  async makeStore() {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-store-'));
    const path = join(folder, 'records.db');
    const store = await openRecordStore(path, undefined, undefined, readers);
    return {
      store,
      async damage(id, version) {
        const beside = connect(path);
        beside.exec(damageSql(id, version));
        beside.close();
      },
      async remove() {
        await store.close();
        rmSync(folder, { recursive: true });
      },
    };
  },
});

describe('SQLite', () => {
  describe('versions', () => versions(sqlite()));
  // Threads answer, however few the records are: what others write between two pages is read beside.
  describe('pages', () => pages(sqlite({ fewest: 0 })));
  describe('search', () => search(sqlite()));
  describe('findings', () => findings(sqlite()));
  describe('audit', () => audit(sqlite()));
  describe('companions', () => companions(sqlite()));
  describe('damage', () => damage(sqlite()));
  describe('erasure', () => erasure(sqlite()));
});

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const postgres: Engine = {
  name: 'PostgreSQL',
  async makeStore() {
    if (!database) throw new Error('PostgreSQL is not installed.');
    const store = await openPostgresStore(database.server);
    return {
      store,
      async damage(id, version) {
        await database.admin((client) =>
          client.query(`SET search_path = chartkeeper; ${damageSql(id, version)}`),
        );
      },
      async remove() {
        await store.close();
        await emptied(database);
      },
    };
  },
};

describe.skipIf(!database)('PostgreSQL (not run where its programs are not installed)', () => {
  describe('versions', () => versions(postgres));
  describe('pages', () => pages(postgres));
  describe('search', () => search(postgres));
  describe('findings', () => findings(postgres));
  describe('audit', () => audit(postgres));
  describe('companions', () => companions(postgres));
  describe('damage', () => damage(postgres));
  describe('erasure', () => erasure(postgres));
});
