import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { isBusy, isFull, sqliteCode, preparePluck, type SqliteDatabase } from '../sqlite/sqlite.ts';
import { createMutex } from '../store/mutex.ts';
import { openTextFile } from './text-file.ts';
import { textQuery, type FindQuery } from './text-query.ts';
import { IncompatibleIndexError, type SourceRow, type Stand, type TextSource } from './text-source.ts';
import { findable, type Findable } from '../../core/derive/findable.ts';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import { objectIn } from '../../core/json/scan.ts';
import { personWriter } from './person-writer.ts';
import { textWriter } from './text-writer.ts';

interface OpenIndex {
  readonly index: SqliteDatabase;
  readonly source: TextSource;
  readonly follower: TextIndexer;
  readonly search: (query: FindQuery) => Omit<FindAnswer, 'behind'>;
}

/** Time in milliseconds in which a query indexes new versions first. */
const indexTimeMs = 10;

/**
 * The index in its worker thread. Created again if it is invalid or fails, and closed while the records are moved.
 * Operations run one at a time.
 */
export class TextIndex {
  private readonly path: string;
  private readonly openSource: () => TextSource;
  private currentIndex: OpenIndex | undefined;
  private readonly inTurn = createMutex();

  /** @param openSource - Opens the records that the index at `path` follows. */
  constructor(path: string, openSource: () => TextSource) {
    this.path = path;
    this.openSource = openSource;
  }

  /** Indexes some versions. Returns their number, or 0 if all are indexed. */
  step(): Promise<number> {
    return this.inTurn(() => this.runWithRebuild(({ follower }) => follower.step()));
  }

  /** Indexes new versions first. On a full disk, searches only the indexed ones. */
  search(query: FindQuery): Promise<FindAnswer> {
    return this.inTurn(() =>
      this.runWithRebuild(async (open) => {
        const until = performance.now() + indexTimeMs;
        let hasMore = true;
        while (hasMore && performance.now() < until) hasMore = (await open.follower.step()) > 0;
        return createAnswer(open, query, hasMore);
      }).catch((error: unknown) => {
        if (!isFull(error)) throw error;
        return this.runWithRebuild((open) => createAnswer(open, query, true));
      }),
    );
  }

  erase(names: readonly RecordName[]): Promise<void> {
    return this.inTurn(async () => {
      try {
        await this.runWithRebuild(({ follower }) => follower.erase(names));
      } catch (error) {
        if (!isFull(error)) throw error;
        // No text of an erased record may stay, and a deletion needs no space.
        removeDatabase(this.path);
      }
    });
  }

  /** Stores the indexed versions if the disk has space, and closes index and records. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      const { currentIndex: openedIndex } = this;
      this.currentIndex = undefined;
      if (!openedIndex) return;
      try {
        openedIndex.follower.keep();
      } catch (error) {
        // Versions that were not stored are indexed again.
        if (!isFull(error)) throw error;
      } finally {
        await closeIndex(openedIndex);
      }
    });
  }

  /**
   * Runs work. On a failure of the index, creates it again once. Not on a full disk: the index is valid, and a new
   * index would fail too.
   */
  private async runWithRebuild<Result>(work: (open: OpenIndex) => Result | Promise<Result>): Promise<Result> {
    const open = this.open();
    try {
      return await work(open);
    } catch (error) {
      if (isBusy(error) || !(error instanceof IncompatibleIndexError || sqliteCode(error) !== ''))
        throw error;
      this.currentIndex = undefined;
      await closeIndex(open);
      if (isFull(error)) throw error;
      removeDatabase(this.path);
      return work(this.open());
    }
  }

  private open(): OpenIndex {
    if (this.currentIndex) return this.currentIndex;
    const source = this.openSource();
    try {
      const index = openTextFile(this.path);
      this.currentIndex = {
        index,
        source,
        follower: createTextIndexer(index, source),
        search: textQuery(index),
      };
      return this.currentIndex;
    } catch (error) {
      void source.close();
      throw error;
    }
  }
}

async function createAnswer(
  { follower, search }: OpenIndex,
  query: FindQuery,
  hasMore: boolean,
): Promise<FindAnswer> {
  follower.write();
  const matches = search(query);
  return { ...matches, behind: hasMore ? await follower.behind() : 0 };
}

async function closeIndex({ index, source }: OpenIndex): Promise<void> {
  index.close();
  await source.close();
}

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
function createTextIndexer(index: SqliteDatabase, source: TextSource) {
  const writer = textWriter(index);
  const people = personWriter(index);
  const updatePosition = index.prepare('UPDATE stand SET place = ?, filled = ?, people = ?');
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
    updatePosition.run(indexPosition.place, indexPosition.filled, indexPosition.people);
    index.exec('COMMIT');
  }

  /** Indexes some persons. Returns their number, or 0 if the index has the same ones as the source. */
  async function indexPeople(): Promise<number> {
    const { rows, lastKey, count } = await source.people(indexPosition.people);
    begin();
    // The related resources are of an earlier state of the store, or the last ones are gone.
    if (lastKey < indexPosition.people) {
      people.removeAll();
      indexPosition = { ...indexPosition, people: 0 };
      return 1;
    }
    for (const row of rows) people.put(row);
    indexPosition = { ...indexPosition, people: rows.at(-1)?.pk ?? lastKey };
    if (rows.length > 0) {
      uncommittedRows += rows.length;
      if (uncommittedRows >= rowsPerCommit) commit();
      return rows.length;
    }
    if (people.count() !== count) people.keepOnly(new Set(await source.personKeys()));
    return 0;
  }

  function indexRows(rows: readonly SourceRow[], nextPosition: IndexPosition): number {
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
      const personCount = await indexPeople();
      if (personCount > 0) return personCount;
      commit();
      return 0;
    },
    keep: commit,
    /** Writes the indexed rows so that a query finds them. */
    write: writer.write,

    /** Returns the number of versions that are not indexed yet. */
    behind: async (): Promise<number> =>
      (await source.countPending(indexPosition.place)) + indexPosition.filled,

    /** Removes records, and persons that the source no longer has. Their bytes are then neither in a page nor in the WAL. */
    async erase(names: readonly RecordName[]): Promise<void> {
      const personKeys = new Set(await source.personKeys());
      begin();
      const hasRemovedPeople = people.keepOnly(personKeys);
      const docs = names.flatMap(({ type, id }) => docOf.all(type, id.toLowerCase(), id));
      for (const pk of docs) writer.remove(pk);
      indexPosition = {
        ...indexPosition,
        place: source.placeAfterErasure(indexPosition.place, lastDoc.get() ?? 0),
      };
      // All pages are rewritten, which takes a while for a large index.
      if (docs.length > 0 || hasRemovedPeople) writer.forget();
      commit();
      index.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

type TextIndexer = ReturnType<typeof createTextIndexer>;

/** Position among the versions and the persons of a source. */
interface IndexPosition extends Stand {
  /** Key of the last related resource that was read. */
  readonly people: number;
}

function readPosition(index: SqliteDatabase): IndexPosition {
  const storedPosition = index
    .prepare<unknown[], IndexPosition>('SELECT place, filled, people FROM stand')
    .get();
  if (!storedPosition) throw new IncompatibleIndexError('The index has no position.');
  return storedPosition;
}
