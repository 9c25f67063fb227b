/** What every engine of a store promises, kept by SQLite; postgres/contract.long.test.ts has the other. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import type { StoreReaders } from './asking.ts';
import { openRecordStore } from './sqlite-store.ts';
import { connect } from './sqlite.ts';
import { opened, testContract } from '../testing/contract.ts';
import type { Engine } from '../testing/contract-store.ts';

/** @param readers - Threads answer from so many records on. */
const sqlite = (readers?: StoreReaders): Engine => ({
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
  // Threads answer, however few the records are: what others write between two pages is read beside.
  testContract((part) => sqlite(part === 'pages' ? { fewest: 0 } : undefined));
});
