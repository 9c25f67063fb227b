import type { FindingKey, StatesChanged } from '../../core/app/findings.ts';
import type { CheckCount, FindingChange, FindingGroups } from '../../core/app/measures.ts';
import type { Grouping } from '../../core/app/quality.ts';
import type { Writing } from './finding-states.ts';
import type { IssueQuery, WholeCount } from './issue-query.ts';

export interface MeasuredDay extends CheckCount {
  /** Its number. */
  readonly day: number;
}

/** What is kept of findings beside what the rules say: what people said, what each day came to, how long each stood. */
export interface FindingStore {
  /** Names of findings, record by record, and the place of the last; undefined where none is behind it. */
  keys(
    query: IssueQuery,
    after: string | undefined,
    limit: number,
  ): Promise<{ readonly keys: readonly FindingKey[]; readonly next: string | undefined }>;
  /** The groups with most findings. How many records each has in all is counted where that is `sized`: over the whole store. */
  groups(query: IssueQuery, by: Grouping, limit: number, sized?: boolean): Promise<FindingGroups['groups']>;
  /** Writes what somebody says of findings, with entries in the audit trail. */
  say(keys: readonly FindingKey[], writing: Writing): Promise<StatesChanged>;
  /** Puts a day's counts in the place of those that it has; forgets what ended too long before it. */
  write(day: number, counts: readonly CheckCount[]): Promise<void>;
  /** Those of the days from one to another, oldest first. */
  read(from: number, to: number): Promise<readonly MeasuredDay[]>;
  /** Over all rules: what is open of each category, and what is waived, on a day. */
  wholes(day: string): Promise<readonly WholeCount[]>;
  /** Of the findings at the end of one day and of a later one: what is new, resolved and persisting. */
  compare(from: number, to: number, today: string): Promise<readonly FindingChange[]>;
}
