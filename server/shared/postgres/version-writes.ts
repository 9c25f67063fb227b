import { formatRecordName } from '../../../core/app/erasures.ts';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { checksumOf } from '../../store/checksum.ts';
import { mergeForeignIssues } from '../../store/index-tables.ts';
import { moveIssues } from '../../store/finding-moves.ts';
import type { NewVersion } from '../../store/store.ts';
import { entryOf } from '../../store/write-entry.ts';
import { issueRow, reconcileIssues, readExisting, type IssueComparison } from './issue-writer.ts';
import { changeSql, createSql, type SealedChange } from './write-statements.ts';
import type { WriteContext } from './writes.ts';

/** Inserts versions. Of several with one id, only the first is stored. */
export async function insertAll(
  { session, note, declareDerived }: WriteContext,
  versions: readonly NewVersion[],
): Promise<readonly ('stored' | 'exists')[]> {
  declareDerived();
  const firstVersions = [
    ...new Map(versions.toReversed().map((next) => [formatRecordName(next), next])).values(),
  ];
  const sealedVersions = firstVersions.map((next) => ({ next, sha256: checksumOf(next.text) }));
  const rows = await session.rows(createSql(sealedVersions));
  const storedVersions = new Set(rows.map(([index]) => firstVersions[Number(index)]));
  for (const { next, sha256 } of sealedVersions)
    if (storedVersions.has(next)) note(entryOf(next, undefined, sha256));
  return versions.map((next) => (storedVersions.has(next) ? 'stored' : 'exists'));
}

/** Replaces a version if `expected` is the current version number. */
export interface Change {
  readonly next: NewVersion;
  readonly expected: number;
}

/** Replaces versions, at most one for each record. */
export async function replaceAll(
  context: WriteContext,
  changes: readonly Change[],
): Promise<readonly ('stored' | 'stale')[]> {
  const { session, note, declareDerived } = context;
  declareDerived();
  const results = new Map<NewVersion, 'stored' | 'stale'>();
  let remaining: readonly SealedChange[] = changes.map((change) => ({
    ...change,
    sha256: checksumOf(change.next.text),
  }));
  while (remaining.length > 0) {
    const rows = await session.rows(changeSql(remaining));
    const diffs = new Map<SealedChange, IssueComparison>();
    for (const [index, record, issues] of rows) {
      const change = remaining[Number(index)];
      if (!change) continue;
      const { type, issues: newIssues, movedIssues: moves = [] } = change.next;
      const existing = readExisting(issues);
      const expected = mergeForeignIssues(newIssues, moveIssues(existing.map(issueRow), moves));
      diffs.set(change, { record: Number(record), type, existing, expected, moves });
    }
    const days = Map.groupBy(diffs, ([{ next }]) => dayNumber(Date.parse(next.lastUpdated)));
    for (const [day, dayDiffs] of days)
      await reconcileIssues(
        context,
        dayDiffs.map(([, diff]) => diff),
        day,
      );
    for (const { next, expected, sha256 } of diffs.keys()) note(entryOf(next, expected, sha256));
    const missed = remaining.filter((change) => !diffs.has(change));
    for (const { next } of remaining) results.set(next, 'stored');
    for (const { next } of missed) results.set(next, 'stale');
    remaining = await findRetryable(context, missed);
  }
  return changes.map(({ next }) => results.get(next) ?? 'stale');
}

/**
 * Returns the changes whose rows were reconciled while the statement waited for their lock. The next
 * statement sees these rows.
 */
async function findRetryable(
  { session }: WriteContext,
  missed: readonly SealedChange[],
): Promise<readonly SealedChange[]> {
  const retryable: SealedChange[] = [];
  for (const change of missed) {
    const { next, expected } = change;
    const text = 'SELECT 1 FROM record WHERE type = $1 AND id = $2 AND version = $3::integer';
    if ((await session.rows({ text, values: [next.type, next.id, expected] })).length > 0)
      retryable.push(change);
  }
  return retryable;
}
