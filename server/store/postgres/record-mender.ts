/**
 * Turns the rows that describe records into others, while their versions stay. Called for what is derived, for what checks
 * came to, and for what is wrong between records. Invariant: rows are changed under the lock of their record, as they stand
 * then, and where it still has the version that they were made of; a record whose rows stand as they are to be is not touched.
 */
import type { Derived } from '../../../core/derive/derive.ts';
import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { keyNumber } from '../../../core/fhir/search-parameters.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { TypeScope } from '../derive-scope.ts';
import { withoutZero, type Session } from './connection.ts';
import { differingIndex, mendIndex } from './index-mender.ts';
import {
  issueRow,
  mendIssues,
  readStanding,
  sameIssues,
  standingIssues,
  type StandingIssue,
} from './issue-writer.ts';
import { listsOf } from './version-rows.ts';
import type { Mending } from './writes.ts';

/** A record at a version. */
export interface Target {
  readonly record: number;
  /** The number of the version's row. */
  readonly current: number;
  /** What it is to have, by the issues that stand; where it does not say when it is to be judged again, that stays. */
  readonly wanted: (standing: readonly IssueRow[]) => Wanted;
}

export type Wanted = Omit<Derived, 'judgeAgain'> & { readonly judgeAgain?: number | null };

/** Which rows are meant, of records of one type. */
export interface Scope extends Pick<TypeScope, 'index' | 'sort' | 'issues' | 'keys'> {
  readonly type: ResourceType;
}

type Columns = readonly [judgeAgain: number | null, date: number, status: string, title: string];

interface Standing {
  readonly columns: Columns;
  readonly issues: readonly StandingIssue[];
}

/** A record with what stands, and what is to. */
interface Turn extends Standing {
  readonly record: number;
  readonly current: number;
  readonly target: Target;
  readonly wanted: Wanted;
  readonly next: Columns;
}

const readText = `SELECT r.pk, r.judge_again, r.sort_date, r.status, r.title, ${standingIssues}
  FROM record r WHERE r.pk = ANY ($1::bigint[])`;

// In the order in which all writers take these locks.
const lockText = `SELECT r.pk FROM unnest($1::bigint[], $2::bigint[]) w(pk, current)
  JOIN record r ON r.pk = w.pk AND r.current = w.current ORDER BY r.type, r.id FOR NO KEY UPDATE OF r`;

// Each of them, whatever it changes: a change that waits for the lock then begins anew (write-statements.ts).
const setText = `UPDATE record r SET judge_again = w.judge_again, sort_date = w.sort_date, status = w.status, title = w.title
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
    w(pk, judge_again, sort_date, status, title) WHERE r.pk = w.pk`;

// Only of the current versions: whoever turns pages began behind this, and meets no version of before.
const setVersionText = `UPDATE version v SET sort_date = w.sort_date, status = w.status, title = w.title
  FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) w(pk, sort_date, status, title) WHERE v.pk = w.pk`;

/** Those of the records of a type whose rows are others than they are to be. */
export async function differing(
  session: Session,
  scope: Scope,
  targets: readonly Target[],
): Promise<readonly Target[]> {
  const turns = await turnsOf(session, scope, targets);
  const moved = scope.index
    ? await differingIndex(session, turns.map(indexOf), numbersOf(scope))
    : new Set<number>();
  return turns.flatMap((turn) => (moved.has(turn.record) || differs(scope, turn) ? turn.target : []));
}

/** Mends records of a type; findings begin and end on the day. Answers those that were changed. */
export async function mendRecords(
  mending: Mending,
  scope: Scope,
  targets: readonly Target[],
  day: number,
): Promise<readonly number[]> {
  const { session } = mending;
  const found = await differing(session, scope, targets);
  if (found.length === 0) return [];
  const pairs = found.map(({ record, current }) => [record, current]);
  const locked = await session.rows({ text: lockText, values: listsOf(pairs, 2) });
  const held = new Set(locked.map(([record]) => Number(record)));
  // Under the lock they may be others than a moment ago.
  const now = await turnsOf(
    session,
    scope,
    found.filter(({ record }) => held.has(record)),
  );
  if (scope.index) await mendIndex(session, now.map(indexOf), numbersOf(scope));
  await setColumns(session, now);
  if (scope.issues) {
    const issues = now
      .map(({ record, issues: standing, wanted }) => ({
        ...{ record, type: scope.type, standing, wanted: wanted.issues },
      }))
      .filter((turn) => !sameIssues(turn));
    await mendIssues(mending, issues, day);
  }
  return now.map(({ record }) => record);
}

async function turnsOf(session: Session, scope: Scope, targets: readonly Target[]): Promise<Turn[]> {
  if (targets.length === 0) return [];
  const rows = await session.rows({ text: readText, values: [targets.map(({ record }) => record)] });
  const read = new Map(
    rows.map(([record, judgeAgain, date, status, title, issues]): [number, Standing] => [
      Number(record),
      {
        columns: [
          judgeAgain === null ? null : Number(judgeAgain),
          Number(date),
          String(status),
          String(title),
        ],
        issues: readStanding(issues),
      },
    ]),
  );
  return targets.flatMap((target) => {
    const standing = read.get(target.record);
    if (!standing) return [];
    const wanted = target.wanted(standing.issues.map(issueRow));
    const { record, current } = target;
    return { ...standing, record, current, target, wanted, next: columnsOf(scope, wanted, standing.columns) };
  });
}

function columnsOf(scope: Scope, { judgeAgain, index }: Wanted, standing: Columns): Columns {
  const [day, ...sort] = standing;
  const again = judgeAgain === undefined ? day : judgeAgain;
  if (!scope.sort) return [again, ...sort];
  const { date, status, title } = index.sort;
  return [again, date, withoutZero(status), withoutZero(title)];
}

function differs({ issues }: Scope, { columns, next, issues: standing, wanted }: Turn): boolean {
  if (columns.some((value, at) => value !== next[at])) return true;
  return issues && !sameIssues({ standing, wanted: wanted.issues });
}

function numbersOf({ keys }: Scope): readonly number[] | undefined {
  return keys && [...keys].map(keyNumber);
}

function indexOf({ record, wanted }: Turn) {
  return { record, index: wanted.index };
}

async function setColumns(session: Session, turns: readonly Turn[]): Promise<void> {
  if (turns.length === 0) return;
  const rows = turns.map(({ record, next }) => [record, ...next]);
  await session.rows({ text: setText, values: listsOf(rows, 5) });
  const sorted = turns.filter(({ columns, next }) =>
    columns.slice(1).some((value, at) => value !== next[at + 1]),
  );
  if (sorted.length === 0) return;
  const versions = sorted.map(({ current, next }) => [current, ...next.slice(1)]);
  await session.rows({ text: setVersionText, values: listsOf(versions, 4) });
}
