import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { removeDatabase } from '../sqlite/backup-folder.ts';
import { isBusy, isFull, sqliteCode, type SqliteDatabase } from '../sqlite/sqlite.ts';
import { createMutex } from '../store/mutex.ts';
import { openTextFile } from './text-file.ts';
import { createTextIndexer, type TextIndexer } from './text-indexer.ts';
import { textQuery, type FindQuery } from './text-query.ts';
import { IncompatibleIndexError, type TextSource } from './text-source.ts';

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
