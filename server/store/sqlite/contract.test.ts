/** Runs the store contract with SQLite. postgres/contract.long.test.ts runs it with PostgreSQL. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { StoreReaders } from './reader-client.ts';
import { openRecordStore } from './sqlite-store.ts';
import { connect } from '../../sqlite/sqlite.ts';
import { openTestStore, testContract } from '../testing/contract.ts';
import type { Engine } from '../testing/contract-store.ts';

/** @param readers - Worker threads and the number of records from which they answer. */
const sqlite = (readers?: StoreReaders): Engine => ({
  name: 'SQLite',
  async makeStore() {
    const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-store-'));
    const path = join(folder, 'records.db');
    return openTestStore({
      open: (derivations) => openRecordStore(path, derivations, undefined, readers),
      async run(text) {
        const connection = connect(path);
        connection.exec(text);
        connection.close();
        return Promise.resolve();
      },
      removeData: () => rmSync(folder, { recursive: true }),
    });
  },
});

describe('SQLite', () => {
  // Worker threads answer in tests of pages, to read changes of other connections between two pages.
  testContract((part) => sqlite(part === 'pages' ? { minRecords: 0 } : undefined));
});
