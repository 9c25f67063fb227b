import { pathOf } from '../../../core/api/contract.ts';
import type { FindingKey, StatesChanged } from '../../../core/app/findings.ts';
import type { CheckCount, FindingChange, FindingGroups } from '../../../core/app/measures.ts';
import type { Grouping } from '../../../core/app/quality.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { entryOf, setters, type Writing as Saying } from '../finding-states.ts';
import type { FindingStore, MeasuredDay } from '../finding-store.ts';
import type { IssueQuery, WholeCount } from '../issue-query.ts';
import { findingGroupOf, issueGroupSql, standingSql, standingWaivedSql, wholeSql } from '../issue-sql.ts';
import { changesOf, keptDays, type Ended } from '../measures.ts';
import { issuePlace } from '../places.ts';
import type { Value } from '../sql.ts';
import { numbered, type Postgres } from './connection.ts';
import { setBySet } from './dialect.ts';
import { issueRows } from './quality.ts';
import { listsOf } from './version-rows.ts';
import { locks } from './locks.ts';
import type { Writes, Writing } from './writes.ts';

export class PostgresFindings implements FindingStore {
  private readonly database: Postgres;
  private readonly writes: Writes;

  constructor(database: Postgres, writes: Writes) {
    this.database = database;
    this.writes = writes;
  }

  async keys(query: IssueQuery, after: string | undefined, limit: number) {
    const rows = await issueRows(this.database, query, after, limit);
    const keys = rows.map((row): FindingKey => ({
      ...{ type: String(row[2]) as ResourceType, id: String(row[3]) },
      ...{ rule: String(row[7]), pointer: String(row[10]) },
    }));
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { keys, next: last && issuePlace(last[0], last[1]) };
  }

  async groups(
    query: IssueQuery,
    by: Grouping,
    limit: number,
    sized = true,
  ): Promise<FindingGroups['groups']> {
    const rows = await this.database.rows(numbered(issueGroupSql({ query, by, limit, sized }, setBySet)));
    return rows.map(findingGroupOf);
  }

  say(keys: readonly FindingKey[], saying: Saying): Promise<StatesChanged> {
    return this.writes.add((writing) => say(writing, keys, saying));
  }

  async write(day: number, counts: readonly CheckCount[]): Promise<void> {
    await this.writes.add(async ({ session }) => {
      // What another server writes of the day is then seen, and goes.
      await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.measure] });
      await session.rows({ text: 'DELETE FROM measure WHERE day = $1', values: [day] });
      await session.rows({ text: 'DELETE FROM finding_end WHERE ended < $1', values: [day - keptDays] });
      const rows = counts.map(({ check, type, applied, violated, skipped, findings }) => [
        ...[check, type, applied, violated, skipped, findings],
      ]);
      const text = `INSERT INTO measure SELECT $1::integer, * FROM
        unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[], $7::integer[])`;
      await session.rows({ text, values: [day, ...listsOf(rows, 6)] });
    });
  }

  async read(from: number, to: number): Promise<readonly MeasuredDay[]> {
    const text = `SELECT day, rule, type, applied, violated, skipped, findings FROM measure
      WHERE day BETWEEN $1 AND $2 ORDER BY day, rule, type`;
    const rows = await this.database.rows({ text, values: [from, to] });
    return rows.map(([day, check, type, applied, violated, skipped, findings]) => ({
      ...{ day: Number(day), check: String(check), type: String(type) as ResourceType },
      ...{ applied: Number(applied), violated: Number(violated) },
      ...{ skipped: Number(skipped), findings: Number(findings) },
    }));
  }

  async wholes(day: string): Promise<readonly WholeCount[]> {
    const rows = await this.database.rows(numbered(wholeSql(day, setBySet)));
    return rows.map(([check, type, violated, findings]) => ({
      ...{ check: String(check) as WholeCount['check'], type: String(type) as ResourceType },
      ...{ violated: Number(violated), findings: Number(findings) },
    }));
  }

  async compare(from: number, to: number, today: string): Promise<readonly FindingChange[]> {
    const text = 'SELECT ended, since, rule, type, findings FROM finding_end WHERE ended > $1';
    const [standing, waived, gone] = await Promise.all([
      this.database.rows(numbered(standingSql)),
      this.database.rows(numbered(standingWaivedSql(today, setBySet))),
      this.database.rows({ text, values: [from] }),
    ]);
    const keyOf = (row: readonly Value[]) => row.slice(0, 3).join(' ');
    const byKey = new Map(waived.map((row) => [keyOf(row), Number(row[3])]));
    const stand = standing.map((row) => ({
      ...{ rule: String(row[0]), type: String(row[1]) as ResourceType, since: Number(row[2]) },
      ...{ findings: Number(row[3]), waived: byKey.get(keyOf(row)) ?? 0 },
    }));
    const ended = gone.map(([day, since, rule, type, findings]): Ended => ({
      ...{ ended: Number(day), since: Number(since), rule: String(rule) },
      ...{ type: String(type) as ResourceType, findings: Number(findings) },
    }));
    return changesOf(stand, ended, from, to);
  }
}

/** Writes what is said of findings, with an entry for each record; those that are there no more are counted. */
async function say(writing: Writing, keys: readonly FindingKey[], saying: Saying): Promise<StatesChanged> {
  const { said, doer, now } = saying;
  const { assignee = null, reason = null, until = null, note = null } = said;
  const text = `INSERT INTO finding_state (record, rule, pointer, assignee, waived, until, note, who, time)
    SELECT i.record, i.rule, i.pointer, $1::text, $2::text, $3::text, $4::text, $5::text, $6::bigint
    FROM record r JOIN issue i ON i.record = r.pk
    WHERE r.type = $7 AND r.id = $8 AND i.rule = $9 AND i.pointer = $10 LIMIT 1 FOR KEY SHARE OF r
    ON CONFLICT (record, rule, md5(pointer)) DO UPDATE
      SET ${setters[said.set]}, who = excluded.who, time = excluded.time RETURNING 1`;
  const records = new Map<string, number>();
  for (const { type, id, rule, pointer } of keys) {
    const by = doer.person ?? doer.who;
    const values = [assignee, reason, until, note, by, now, type, id, rule, pointer];
    const changed = await writing.session.rows({ text, values });
    const path = pathOf(type, id);
    if (changed.length > 0) records.set(path, (records.get(path) ?? 0) + 1);
  }
  for (const [path, findings] of records) writing.note(entryOf(path, findings, saying));
  const changed = [...records.values()].reduce((sum, one) => sum + one, 0);
  return { changed, gone: keys.length - changed };
}
