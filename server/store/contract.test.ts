/** What every engine of a store promises, engine by engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe } from 'vitest';
import type { Derivation } from '../../core/derive/derivations.ts';
import type { StoreReaders } from './asking.ts';
import { openRecordStore } from './sqlite-store.ts';
import { emptied, testDatabase } from '../testing/postgres.ts';
import { migrate } from './postgres/migrate.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { connect } from './sqlite.ts';
import type { FileStore, SharedStore } from './store.ts';
import { audit } from './testing/contract-audit.ts';
import { checks } from './testing/contract-checks.ts';
import { companions } from './testing/contract-companions.ts';
import { damage } from './testing/contract-damage.ts';
import { derived } from './testing/contract-derived.ts';
import { erasure } from './testing/contract-erasure.ts';
import { findings } from './testing/contract-findings.ts';
import { pages } from './testing/contract-pages.ts';
import { relations } from './testing/contract-relations.ts';
import { search } from './testing/contract-search.ts';
import type { Engine } from './testing/contract-store.ts';
import { versions } from './testing/contract-versions.ts';

const damageSql = (id: string, version: number) =>
  `UPDATE version SET body = replace(body, 'title', 'tutle') WHERE id = '${id}' AND version = ${version}`;

interface Opening<Store extends SharedStore> {
  readonly open: (of?: readonly Derivation[]) => Promise<Store>;
  /** Runs SQL behind the store's back. */
  readonly run: (text: string) => Promise<unknown>;
  readonly removed: () => unknown;
}

async function opened<Store extends SharedStore>({ open, run, removed }: Opening<Store>) {
  let store = await open();
  return {
    store,
    async damage(id: string, version: number) {
      await run(damageSql(id, version));
    },
    async reopen(of: readonly Derivation[]) {
      await store.close();
      store = await open(of);
      return store;
    },
    async remove() {
      await store.close();
      await removed();
    },
  };
}

/** @param readers - Threads answer from so many records on. */
const sqlite = (readers?: StoreReaders): Engine<FileStore> => ({
  name: 'SQLite',
  async makeStore() {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-store-'));
    const path = join(folder, 'records.db');
    return opened({
      open: (of) => openRecordStore(path, of, undefined, readers),
      async run(text) {
        const beside = connect(path);
        beside.exec(text);
        beside.close();
        return Promise.resolve();
      },
      removed: () => rmSync(folder, { recursive: true }),
    });
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
  describe('derived', () => derived(sqlite()));
  describe('checks', () => checks(sqlite()));
  describe('relations', () => relations(sqlite()));
});

const database = await testDatabase();
if (database) await migrate(database.keeper, 'server');
afterAll(() => database?.remove());

const postgres: Engine = {
  name: 'PostgreSQL',
  async makeStore() {
    if (!database) throw new Error('PostgreSQL is not installed.');
    return opened({
      open: (of) => openPostgresStore(database.server, undefined, of),
      run: (text) => database.admin((client) => client.query(`SET search_path = chartkeeper; ${text}`)),
      removed: () => emptied(database),
    });
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
  describe('derived', () => derived(postgres));
  describe('checks', () => checks(postgres));
  describe('relations', () => relations(postgres));
});
