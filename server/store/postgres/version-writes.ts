import { nameOfRecord } from '../../../core/app/erasures.ts';
import { dayNumber } from '../../../core/app/days.ts';
import { checksumOf } from '../checksum.ts';
import { withElsewhere } from '../derive-scope.ts';
import { movedRows } from '../finding-moves.ts';
import type { NewVersion } from '../store.ts';
import { entryOf } from '../write-entry.ts';
import { issueRow, mendIssues, readStanding, type IssueTurn } from './issue-writer.ts';
import { changeSql, createSql, type SealedChange } from './write-statements.ts';
import type { Writing } from './writes.ts';

/** Of several with one id the first is the one to be stored. */
export async function insertAll(
  { session, note, derives }: Writing,
  all: readonly NewVersion[],
): Promise<readonly ('stored' | 'exists')[]> {
  derives();
  const firsts = [...new Map(all.toReversed().map((next) => [nameOfRecord(next), next])).values()];
  const sealed = firsts.map((next) => ({ next, sha256: checksumOf(next.text) }));
  const rows = await session.rows(createSql(sealed));
  const made = new Set(rows.map(([at]) => firsts[Number(at)]));
  for (const { next, sha256 } of sealed) if (made.has(next)) note(entryOf(next, undefined, sha256));
  return all.map((next) => (made.has(next) ? 'stored' : 'exists'));
}

/** A change of the version that is expected to be the current one. */
export interface Change {
  readonly next: NewVersion;
  readonly expected: number;
}

/** No two are of one record. */
export async function replaceAll(
  writing: Writing,
  all: readonly Change[],
): Promise<readonly ('stored' | 'stale')[]> {
  const { session, note, derives } = writing;
  derives();
  const fates = new Map<NewVersion, 'stored' | 'stale'>();
  let left: readonly SealedChange[] = all.map((one) => ({ ...one, sha256: checksumOf(one.next.text) }));
  while (left.length > 0) {
    const rows = await session.rows(changeSql(left));
    const turns = new Map<SealedChange, IssueTurn>();
    for (const [at, record, issues] of rows) {
      const change = left[Number(at)];
      if (!change) continue;
      const { type, issues: own, movedIssues: moves = [] } = change.next;
      const standing = readStanding(issues);
      const wanted = withElsewhere(own, movedRows(standing.map(issueRow), moves));
      turns.set(change, { record: Number(record), type, standing, wanted, moves });
    }
    const days = Map.groupBy(turns, ([{ next }]) => dayNumber(Date.parse(next.lastUpdated)));
    for (const [day, of] of days)
      await mendIssues(
        writing,
        of.map(([, turn]) => turn),
        day,
      );
    for (const { next, expected, sha256 } of turns.keys()) note(entryOf(next, expected, sha256));
    const missed = left.filter((change) => !turns.has(change));
    for (const { next } of left) fates.set(next, 'stored');
    for (const { next } of missed) fates.set(next, 'stale');
    left = await sameStill(writing, missed);
  }
  return all.map(({ next }) => fates.get(next) ?? 'stale');
}

/** Those whose rows were mended while the statement waited for their lock; a further one sees them. */
async function sameStill(
  { session }: Writing,
  missed: readonly SealedChange[],
): Promise<readonly SealedChange[]> {
  const still: SealedChange[] = [];
  for (const change of missed) {
    const { next, expected } = change;
    const text = 'SELECT 1 FROM record WHERE type = $1 AND id = $2 AND version = $3::integer';
    if ((await session.rows({ text, values: [next.type, next.id, expected] })).length > 0) still.push(change);
  }
  return still;
}
