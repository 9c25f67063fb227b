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
import type { FileStore, SharedStore } from './store.ts';
import { audit } from './testing/contract-audit.ts';
import { checks } from './testing/contract-checks.ts';
import { derived } from './testing/contract-derived.ts';
import { findings } from './testing/contract-findings.ts';
import { pages } from './testing/contract-pages.ts';
import { relations } from './testing/contract-relations.ts';
import { search } from './testing/contract-search.ts';
import type { Engine } from './testing/contract-store.ts';
import { versions } from './testing/contract-versions.ts';

async function opened<Store extends SharedStore>(
  open: (of?: readonly Derivation[]) => Promise<Store>,
  removed: () => unknown,
) {
  let store = await open();
  return {
    store,
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
    const open = (of?: readonly Derivation[]) =>
      openRecordStore(join(folder, 'records.db'), of, undefined, readers);
    return opened(open, () => rmSync(folder, { recursive: true }));
  },
});

describe('SQLite', () => {
  describe('versions', () => versions(sqlite()));
  // Threads answer, however few the records are: what others write between two pages is read beside.
  describe('pages', () => pages(sqlite({ fewest: 0 })));
  describe('search', () => search(sqlite()));
  describe('findings', () => findings(sqlite()));
  describe('audit', () => audit(sqlite()));
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
    const open = (of?: readonly Derivation[]) => openPostgresStore(database.server, undefined, of);
    return opened(open, () => emptied(database));
  },
};

describe.skipIf(!database)('PostgreSQL (not run where its programs are not installed)', () => {
  describe('versions', () => versions(postgres));
  describe('pages', () => pages(postgres));
  describe('search', () => search(postgres));
  describe('findings', () => findings(postgres));
  describe('audit', () => audit(postgres));
  describe('derived', () => derived(postgres));
  describe('checks', () => checks(postgres));
  describe('relations', () => relations(postgres));
});
