import type { FindingKey, StatesChanged } from '../../../core/app/findings.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import {
  entriesOf,
  setters,
  type FindingStore,
  type FindingUpdate as Saying,
} from '../../store/finding-states.ts';
import { findingKeysOf, toOpenFindings, toWholeCount } from '../../store/issue-rows.ts';
import {
  findingGroupOf,
  issueGroupSql,
  standingSql,
  standingWaivedSql,
  wholeSql,
} from '../../store/issue-sql.ts';
import { changesOf, retentionDays, type ClosedFindings } from '../../store/measures.ts';
import { numbered, type Postgres } from './connection.ts';
import { setBySet } from './dialect.ts';
import { issueRows } from './quality.ts';
import { toColumns } from './version-rows.ts';
import { locks } from './locks.ts';
import type { Writes, WriteContext } from './writes.ts';

export function postgresFindings(database: Postgres, writes: Writes): FindingStore {
  return {
    async keys(query, after, limit) {
      return findingKeysOf(await issueRows(database, query, after, limit), limit);
    },

    async groups(query, groupBy, limit, isSized = true) {
      const rows = await database.rows(numbered(issueGroupSql({ query, groupBy, limit, isSized }, setBySet)));
      return rows.map(findingGroupOf);
    },

    say: (keys, update) => writes.add((context) => writeStates(context, keys, update)),

    async write(day, counts) {
      await writes.add(async ({ session }) => {
        // The lock shows rows that another server wrote for the day. The DELETE removes them.
        await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.measure] });
        await session.rows({ text: 'DELETE FROM measure WHERE day = $1', values: [day] });
        await session.rows({
          text: 'DELETE FROM finding_end WHERE ended < $1',
          values: [day - retentionDays],
        });
        const rows = counts.map(
          ({ check, type, applied, violated: violatedCount, skipped: skippedCount, findings }) => [
            check,
            type,
            applied,
            violatedCount,
            skippedCount,
            findings,
          ],
        );
        const text = `INSERT INTO measure SELECT $1::integer, * FROM
          unnest($2::text[], $3::text[], $4::integer[], $5::integer[], $6::integer[], $7::integer[])`;
        await session.rows({ text, values: [day, ...toColumns(rows, 6)] });
      });
    },

    async read(firstDay, lastDay) {
      const text = `SELECT day, rule, type, applied, violated, skipped, findings FROM measure
        WHERE day BETWEEN $1 AND $2 ORDER BY day, rule, type`;
      const rows = await database.rows({ text, values: [firstDay, lastDay] });
      return rows.map(([day, check, type, applied, violatedCount, skippedCount, findings]) => ({
        day: Number(day),
        check: String(check),
        type: String(type) as ResourceType,
        applied: Number(applied),
        violated: Number(violatedCount),
        skipped: Number(skippedCount),
        findings: Number(findings),
      }));
    },

    async wholes(day) {
      return (await database.rows(numbered(wholeSql(day, setBySet)))).map(toWholeCount);
    },

    async compare(firstDay, lastDay, today) {
      const text = 'SELECT ended, since, rule, type, findings FROM finding_end WHERE ended > $1';
      const [openRows, waivedRows, endedRows] = await Promise.all([
        database.rows(numbered(standingSql)),
        database.rows(numbered(standingWaivedSql(today, setBySet))),
        database.rows({ text, values: [firstDay] }),
      ]);
      const endedFindings = endedRows.map(([endDay, since, rule, type, findings]): ClosedFindings => ({
        endDay: Number(endDay),
        since: Number(since),
        rule: String(rule),
        type: String(type) as ResourceType,
        findings: Number(findings),
      }));
      return changesOf(toOpenFindings(openRows, waivedRows), endedFindings, firstDay, lastDay);
    },
  };
}

/** Writes the state of findings with an audit entry for each record. Counts findings that no longer exist. */
async function writeStates(
  { session, note }: WriteContext,
  keys: readonly FindingKey[],
  update: Saying,
): Promise<StatesChanged> {
  const { newState, actor, now } = update;
  const { assignee = null, reason = null, until = null, note: noteText = null } = newState;
  const text = `INSERT INTO finding_state (record, rule, pointer, assignee, waived, until, note, who, time)
    SELECT i.record, i.rule, i.pointer, $1::text, $2::text, $3::text, $4::text, $5::text, $6::bigint
    FROM record r JOIN issue i ON i.record = r.pk
    WHERE r.type = $7 AND r.id = $8 AND i.rule = $9 AND i.pointer = $10 LIMIT 1 FOR KEY SHARE OF r
    ON CONFLICT (record, rule, md5(pointer)) DO UPDATE
      SET ${setters[newState.set]}, who = excluded.who, time = excluded.time RETURNING 1`;
  const changedKeys: FindingKey[] = [];
  for (const key of keys) {
    const { type, id, rule, pointer } = key;
    const values = [
      assignee,
      reason,
      until,
      noteText,
      actor.person ?? actor.who,
      now,
      type,
      id,
      rule,
      pointer,
    ];
    if ((await session.rows({ text, values })).length > 0) changedKeys.push(key);
  }
  for (const entry of entriesOf(changedKeys, update)) note(entry);
  return { changed: changedKeys.length, gone: keys.length - changedKeys.length };
}
