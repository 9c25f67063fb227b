/** Import batches in SQLite. */
import { sqliteDialect } from '../../sqlite/dialect.ts';
import { createBatchReader } from '../batch-reader.ts';
import type { ImportBatchStore } from '../import-batches.ts';
import type { BatchStatements } from './batch-statements.ts';
import type { StoreState } from './reader-client.ts';

/** Creates the batches of a store. */
export function createSqliteBatches(state: StoreState): ImportBatchStore {
  const { countResults, ...reader } = createBatchReader(
    (statement) => state.readerClient.query('batchRows', statement),
    sqliteDialect,
  );
  const write = (work: (statements: BatchStatements) => void) => {
    const { writes, batches } = state.parts;
    return writes.add(() => work(batches));
  };
  return {
    ...reader,
    begin: (batch) => write((statements) => statements.begin(batch)),
    addLines: (id, lines) =>
      write((statements) => {
        for (const line of lines) statements.addLine(id, line);
      }),
    async end(id, now) {
      const counts = await countResults(id);
      await write((statements) => statements.end(id, now, counts));
    },
    setUndone: (id, undone) => write((statements) => statements.setUndone(id, undone)),
  };
}
