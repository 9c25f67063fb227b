/** What every engine of a store promises, engine by engine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { StoreReaders } from './asking.ts';
import { openRecordStore } from './sqlite-store.ts';
import type { FileStore } from './store.ts';
import { audit } from './testing/contract-audit.ts';
import { findings } from './testing/contract-findings.ts';
import { pages } from './testing/contract-pages.ts';
import { search } from './testing/contract-search.ts';
import type { Engine } from './testing/contract-store.ts';
import { versions } from './testing/contract-versions.ts';

/** @param readers - Threads answer from so many records on. */
const sqlite = (readers?: StoreReaders): Engine<FileStore> => ({
  name: 'SQLite',
  async makeStore() {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-store-'));
    const store = await openRecordStore(join(folder, 'records.db'), undefined, undefined, readers);
    return {
      store,
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
});
