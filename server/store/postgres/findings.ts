import type { FindingKey, StatesChanged } from '../../../core/app/findings.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { entriesOf, setters, type FindingStore, type Writing as Saying } from '../finding-states.ts';
import { findingKeysOf, standingOf, wholeOf } from '../issue-rows.ts';
import { findingGroupOf, issueGroupSql, standingSql, standingWaivedSql, wholeSql } from '../issue-sql.ts';
import { changesOf, keptDays, type Ended } from '../measures.ts';
import { numbered, type Postgres } from './connection.ts';
import { setBySet } from './dialect.ts';
import { issueRows } from './quality.ts';
import { listsOf } from './version-rows.ts';
import { locks } from './locks.ts';
import type { Writes, Writing } from './writes.ts';

export function postgresFindings(database: Postgres, writes: Writes): FindingStore {
  return {
    async keys(query, after, limit) {
      return findingKeysOf(await issueRows(database, query, after, limit), limit);
    },

    async groups(query, by, limit, sized = true) {
      const rows = await database.rows(numbered(issueGroupSql({ query, by, limit, sized }, setBySet)));
      return rows.map(findingGroupOf);
    },

    say: (keys, saying) => writes.add((writing) => say(writing, keys, saying)),

    async write(day, counts) {
      await writes.add(async ({ session }) => {
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
    },

    async read(from, to) {
      const text = `SELECT day, rule, type, applied, violated, skipped, findings FROM measure
        WHERE day BETWEEN $1 AND $2 ORDER BY day, rule, type`;
      const rows = await database.rows({ text, values: [from, to] });
      return rows.map(([day, check, type, applied, violated, skipped, findings]) => ({
        ...{ day: Number(day), check: String(check), type: String(type) as ResourceType },
        ...{ applied: Number(applied), violated: Number(violated) },
        ...{ skipped: Number(skipped), findings: Number(findings) },
      }));
    },

    async wholes(day) {
      return (await database.rows(numbered(wholeSql(day, setBySet)))).map(wholeOf);
    },

    async compare(from, to, today) {
      const text = 'SELECT ended, since, rule, type, findings FROM finding_end WHERE ended > $1';
      const [standing, waived, gone] = await Promise.all([
        database.rows(numbered(standingSql)),
        database.rows(numbered(standingWaivedSql(today, setBySet))),
        database.rows({ text, values: [from] }),
      ]);
      const ended = gone.map(([day, since, rule, type, findings]): Ended => ({
        ...{ ended: Number(day), since: Number(since), rule: String(rule) },
        ...{ type: String(type) as ResourceType, findings: Number(findings) },
      }));
      return changesOf(standingOf(standing, waived), ended, from, to);
    },
  };
}

/** Writes what is said of findings, with an entry for each record; those that are there no more are counted. */
async function say(
  { session, note }: Writing,
  keys: readonly FindingKey[],
  saying: Saying,
): Promise<StatesChanged> {
  const { said, doer, now } = saying;
  const { assignee = null, reason = null, until = null, note: words = null } = said;
  const text = `INSERT INTO finding_state (record, rule, pointer, assignee, waived, until, note, who, time)
    SELECT i.record, i.rule, i.pointer, $1::text, $2::text, $3::text, $4::text, $5::text, $6::bigint
    FROM record r JOIN issue i ON i.record = r.pk
    WHERE r.type = $7 AND r.id = $8 AND i.rule = $9 AND i.pointer = $10 LIMIT 1 FOR KEY SHARE OF r
    ON CONFLICT (record, rule, md5(pointer)) DO UPDATE
      SET ${setters[said.set]}, who = excluded.who, time = excluded.time RETURNING 1`;
  const changed: FindingKey[] = [];
  for (const key of keys) {
    const { type, id, rule, pointer } = key;
    const values = [assignee, reason, until, words, doer.person ?? doer.who, now, type, id, rule, pointer];
    if ((await session.rows({ text, values })).length > 0) changed.push(key);
  }
  for (const entry of entriesOf(changed, saying)) note(entry);
  return { changed: changed.length, gone: keys.length - changed.length };
}
