/**
 * What each day was measured, and what became of findings between two days. Invariant: a day has the counts that were
 * written on it last; nothing here looks at a record.
 */
import type { CheckCount, FindingChange } from '../../core/app/measures.ts';
import type { MeasuredDay } from './finding-store.ts';
import type { ResourceType } from '../../core/fhir/resource.ts';
import type { StandingFindings } from './issue-query.ts';
import type { SqliteDatabase } from './sqlite/sqlite.ts';

/** Days for which ended findings are counted apart. */
export const keptDays = 400;

/** Within the caller's transaction. */
export function writeMeasures(database: SqliteDatabase, day: number, counts: readonly CheckCount[]): void {
  database.prepare('DELETE FROM measure WHERE day = ?').run(day);
  database.prepare('DELETE FROM finding_end WHERE ended < ?').run(day - keptDays);
  const add = database.prepare('INSERT INTO measure VALUES (?, ?, ?, ?, ?, ?, ?)');
  for (const { check, type, applied, violated, skipped, findings } of counts) {
    add.run(day, check, type, applied, violated, skipped, findings);
  }
}

export function readMeasures(database: SqliteDatabase, from: number, to: number): MeasuredDay[] {
  return database
    .prepare<unknown[], MeasuredDay>(
      `SELECT day, rule AS "check", type, applied, violated, skipped, findings FROM measure
       WHERE day BETWEEN ? AND ? ORDER BY day, rule, type`,
    )
    .all(from, to);
}

/** Findings of one beginning that ended on a day, by its number. */
export interface Ended extends Omit<StandingFindings, 'waived'> {
  readonly ended: number;
}

/** What became of findings between the ends of two days, of those that stand and of those that ended behind the first. */
export function compareDays(
  database: SqliteDatabase,
  standing: readonly StandingFindings[],
  from: number,
  to: number,
): FindingChange[] {
  const gone = database
    .prepare<unknown[], Ended>('SELECT ended, since, rule, type, findings FROM finding_end WHERE ended > ?')
    .all(from);
  return changesOf(standing, gone, from, to);
}

/** The same, of findings that `gone` says have ended. */
export function changesOf(
  standing: readonly StandingFindings[],
  gone: readonly Ended[],
  from: number,
  to: number,
): FindingChange[] {
  const changes = new Map<string, { -readonly [Name in keyof FindingChange]: FindingChange[Name] }>();
  const standingStill = standing.map((each) => ({ ...each, ended: Infinity }));
  for (const one of [...standingStill, ...gone.map((each) => ({ ...each, waived: 0 }))]) {
    const [then, now] = [one.since <= from && one.ended > from, one.since <= to && one.ended > to];
    if (!then && !now) continue;
    const key = `${one.rule} ${one.type}`;
    const type: ResourceType = one.type;
    const change = changes.get(key) ?? {
      rule: one.rule,
      type,
      new: 0,
      resolved: 0,
      persisting: 0,
      waived: 0,
    };
    if (now) change.waived += one.waived;
    change[then && now ? 'persisting' : now ? 'new' : 'resolved'] += one.findings;
    changes.set(key, change);
  }
  return [...changes.values()];
}
