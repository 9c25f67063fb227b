import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { removeDatabase } from '../store/sqlite/backup-folder.ts';
import { isBusy, isFull, sqliteCode, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import { turns } from '../store/turns.ts';
import { openTextFile } from './text-file.ts';
import { textFollower, type TextFollower } from './text-follower.ts';
import { textQuery, type FindQuestion } from './text-query.ts';
import { UnfitError, type TextSource } from './text-source.ts';

interface Open {
  readonly index: SqliteDatabase;
  readonly source: TextSource;
  readonly follower: TextFollower;
  readonly ask: (question: FindQuestion) => Omit<FindAnswer, 'behind'>;
}

/** Milliseconds that a question takes to read what was written just before it. */
const patience = 10;

/**
 * The index as its thread holds it: made anew where it does not fit or fails, closed while the records are moved. What is asked
 * of it is done in turn.
 */
export class TextIndex {
  private readonly path: string;
  private readonly openSource: () => TextSource;
  private opened: Open | undefined;
  private readonly inTurn = turns();

  /** @param openSource - The records that the index at `path` follows. */
  constructor(path: string, openSource: () => TextSource) {
    this.path = path;
    this.openSource = openSource;
  }

  /** Indexes some versions; answers how many, which is 0 where all are. */
  step(): Promise<number> {
    return this.inTurn(() => this.tried(({ follower }) => follower.step()));
  }

  /** What is new is read first; where the disk has no room for it, the answer is of what was kept. */
  ask(question: FindQuestion): Promise<FindAnswer> {
    return this.inTurn(() =>
      this.tried(async (open) => {
        const until = performance.now() + patience;
        let more = true;
        while (more && performance.now() < until) more = (await open.follower.step()) > 0;
        return answerOf(open, question, more);
      }).catch((error: unknown) => {
        if (!isFull(error)) throw error;
        return this.tried((open) => answerOf(open, question, true));
      }),
    );
  }

  erase(names: readonly RecordName[]): Promise<void> {
    return this.inTurn(async () => {
      try {
        await this.tried(({ follower }) => follower.erase(names));
      } catch (error) {
        if (!isFull(error)) throw error;
        // Nothing of an erased record may stay, and deleting takes no room.
        removeDatabase(this.path);
      }
    });
  }

  /** Keeps what was indexed, where the disk has room for it, and lets go of file and records. */
  close(): Promise<void> {
    return this.inTurn(async () => {
      const { opened } = this;
      this.opened = undefined;
      if (!opened) return;
      try {
        opened.follower.keep();
      } catch (error) {
        // What was not kept is read again.
        if (!isFull(error)) throw error;
      } finally {
        await shut(opened);
      }
    });
  }

  /** A failure may be the file's: once it is made anew. On a full disk that would fail too, and what was kept is good. */
  private async tried<Result>(work: (open: Open) => Result | Promise<Result>): Promise<Result> {
    const open = this.open();
    try {
      return await work(open);
    } catch (error) {
      if (isBusy(error) || !(error instanceof UnfitError || sqliteCode(error) !== '')) throw error;
      this.opened = undefined;
      await shut(open);
      if (isFull(error)) throw error;
      removeDatabase(this.path);
      return work(this.open());
    }
  }

  private open(): Open {
    if (this.opened) return this.opened;
    const source = this.openSource();
    try {
      const index = openTextFile(this.path);
      this.opened = { index, source, follower: textFollower(index, source), ask: textQuery(index) };
      return this.opened;
    } catch (error) {
      void source.close();
      throw error;
    }
  }
}

async function answerOf({ follower, ask }: Open, question: FindQuestion, more: boolean): Promise<FindAnswer> {
  follower.write();
  const found = ask(question);
  return { ...found, behind: more ? await follower.behind() : 0 };
}

async function shut({ index, source }: Open): Promise<void> {
  index.close();
  await source.close();
}
