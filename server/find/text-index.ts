import type { RecordName } from '../../core/app/erasures.ts';
import type { FindAnswer } from '../../core/app/find.ts';
import { isBusy, isFull, openReader, type SqliteDatabase } from '../store/sqlite.ts';
import { openTextFile, removeTextFile } from './text-file.ts';
import { textFollower, type TextFollower } from './text-follower.ts';
import { textQuery, type FindQuestion } from './text-query.ts';

export interface TextIndexPaths {
  readonly records: string;
  readonly text: string;
}

interface Open {
  readonly index: SqliteDatabase;
  readonly records: SqliteDatabase;
  readonly follower: TextFollower;
  readonly ask: (question: FindQuestion) => Omit<FindAnswer, 'behind'>;
}

/** Milliseconds that a question takes to read what was written just before it. */
const patience = 10;

/** The index as its thread holds it: made anew where it does not fit or fails, closed while the records are moved. */
export class TextIndex {
  private readonly paths: TextIndexPaths;
  private opened: Open | undefined;

  constructor(paths: TextIndexPaths) {
    this.paths = paths;
  }

  /** Indexes some versions; answers whether there may be more. */
  step(): boolean {
    return this.tried(({ follower }) => follower.step());
  }

  /** What is new is read first; where the disk has no room for it, the answer is of what was kept. */
  ask(question: FindQuestion): FindAnswer {
    try {
      return this.answer(question, patience);
    } catch (error) {
      if (!isFull(error)) throw error;
      return this.answer(question, 0);
    }
  }

  erase(names: readonly RecordName[]): void {
    try {
      // The version that was read last may be one that was erased.
      this.tried(
        ({ follower }) => follower.erase(names),
        () => true,
      );
    } catch (error) {
      if (!isFull(error)) throw error;
      // Nothing of an erased record may stay, and deleting takes no room.
      removeTextFile(this.paths.text);
    }
  }

  /** Keeps what was indexed, where the disk has room for it, and lets go of both files. */
  close(): void {
    const { opened } = this;
    this.opened = undefined;
    if (!opened) return;
    try {
      opened.follower.keep();
    } catch (error) {
      // What was not kept is read again.
      if (!isFull(error)) throw error;
    } finally {
      opened.index.close();
      opened.records.close();
    }
  }

  private answer(question: FindQuestion, milliseconds: number): FindAnswer {
    return this.tried(({ follower, ask }) => {
      const until = performance.now() + milliseconds;
      while (performance.now() < until && follower.step());
      follower.write();
      return { ...ask(question), behind: follower.behind() };
    });
  }

  /** A failure may be the file's: once it is made anew. On a full disk that would fail too, and what was kept is good. */
  private tried<Result>(
    work: (open: Open) => Result,
    fits = ({ follower }: Open) => follower.fits(),
  ): Result {
    const open = this.open();
    try {
      if (!fits(open)) throw new Error('The index is of other records.');
      return work(open);
    } catch (error) {
      if (isBusy(error)) throw error;
      this.drop();
      if (isFull(error)) throw error;
      removeTextFile(this.paths.text);
      return work(this.open());
    }
  }

  private drop(): void {
    const { opened } = this;
    this.opened = undefined;
    opened?.index.close();
    opened?.records.close();
  }

  private open(): Open {
    if (this.opened) return this.opened;
    const records = openReader(this.paths.records);
    try {
      const index = openTextFile(this.paths.text);
      const follower = textFollower(index, records);
      follower.start();
      this.opened = { index, records, follower, ask: textQuery(index) };
      return this.opened;
    } catch (error) {
      records.close();
      throw error;
    }
  }
}
