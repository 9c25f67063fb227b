import { findable, type Findable } from '../../core/derive/findable.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { RecordName } from '../../core/app/erasures.ts';
import { objectIn } from '../../core/json/scan.ts';
import { preparePluck, type SqliteDatabase } from '../sqlite/sqlite.ts';
import { IncompatibleIndexError, type SourceRow, type Stand, type TextSource } from './text-source.ts';
import { textWriter } from './text-writer.ts';

/** Rows per commit. The index is written in batches of this size. */
const rowsPerCommit = 4096;

/** Derives the searchable texts of a record. Returns undefined for any damaged text. */
function deriveTexts(type: ResourceType, body: string): Findable | undefined {
  try {
    const root = objectIn(body);
    return root && findable(type, root);
  } catch {
    return undefined;
  }
}

/** Creates the indexer, which follows a source in steps. The index file stores the committed position. */
export function createTextIndexer(index: SqliteDatabase, source: TextSource) {
  const writer = textWriter(index);
  const updatePosition = index.prepare('UPDATE stand SET place = ?, filled = ?');
  const docOf = preparePluck<number>(index, 'SELECT pk FROM doc WHERE type = ? AND lower(id) = ? AND id = ?');
  const lastDoc = preparePluck<number>(index, 'SELECT coalesce(max(pk), 0) FROM doc');
  let uncommittedRows = 0;
  let indexPosition = readPosition(index);

  function indexRow(row: SourceRow): void {
    const { type, body } = row;
    if (body === null || !isResourceType(type)) return;
    const texts = deriveTexts(type, body);
    const emptyDoc = { title: '', status: '', date: '', end: '', subject: { id: '', name: '' } };
    writer.put({ ...emptyDoc, ...texts, ...row, type }, texts);
  }

  function begin(): void {
    if (!index.inTransaction) index.exec('BEGIN IMMEDIATE');
  }

  function commit(): void {
    uncommittedRows = 0;
    writer.write();
    if (!index.inTransaction) return;
    updatePosition.run(indexPosition.place, indexPosition.filled);
    index.exec('COMMIT');
  }

  function indexRows(rows: readonly SourceRow[], nextPosition: Stand): number {
    begin();
    for (const row of rows) indexRow(row);
    indexPosition = nextPosition;
    uncommittedRows += rows.length;
    if (uncommittedRows >= rowsPerCommit) commit();
    return rows.length;
  }

  return {
    /**
     * Indexes some versions: new ones first, then the existing ones, latest first. Returns their number, or 0 if all
     * are indexed.
     */
    async step(): Promise<number> {
      if (indexPosition.place === '') indexPosition = { ...indexPosition, ...(await source.begin()) };
      const { rows, place } = await source.next(indexPosition.place);
      if (rows.length > 0) return indexRows(rows, { ...indexPosition, place });
      indexPosition = { ...indexPosition, place };
      if (indexPosition.filled > 0) {
        const olderRows = await source.before(indexPosition.filled);
        const oldestRow = olderRows.at(-1);
        if (oldestRow) return indexRows(olderRows, { ...indexPosition, filled: oldestRow.pk - 1 });
        indexRows([], { ...indexPosition, filled: 0 });
      }
      commit();
      return 0;
    },
    keep: commit,
    /** Writes the indexed rows so that a query finds them. */
    write: writer.write,

    /** Returns the number of versions that are not indexed yet. */
    behind: async (): Promise<number> =>
      (await source.countPending(indexPosition.place)) + indexPosition.filled,

    /** Removes records. Their bytes are then neither in a page nor in the WAL. */
    erase(names: readonly RecordName[]): void {
      begin();
      const docs = names.flatMap(({ type, id }) => docOf.all(type, id.toLowerCase(), id));
      for (const pk of docs) writer.remove(pk);
      indexPosition = {
        ...indexPosition,
        place: source.placeAfterErasure(indexPosition.place, lastDoc.get() ?? 0),
      };
      // All pages are rewritten, which takes a while for a large index.
      if (docs.length > 0) writer.forget();
      commit();
      index.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

export type TextIndexer = ReturnType<typeof createTextIndexer>;

function readPosition(index: SqliteDatabase): Stand {
  const storedPosition = index.prepare<unknown[], Stand>('SELECT place, filled FROM stand').get();
  if (!storedPosition) throw new IncompatibleIndexError('The index has no position.');
  return storedPosition;
}
