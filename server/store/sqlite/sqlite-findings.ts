/**
 * What is kept of findings beside their rows; what looks at all rows is asked of the threads that read. Invariant: a day
 * has the counts that were written on it last.
 */
import type { FindingKey } from '../../../core/app/findings.ts';
import { perType } from '../../../core/fhir/resource.ts';
import type { StoreState } from './asking.ts';
import { entriesOf, setters, type FindingStore, type MeasuredDay, type Writing } from '../finding-states.ts';
import { findingKeysOf } from '../issue-rows.ts';
import { findingGroupOf } from '../issue-sql.ts';
import { changesOf, keptDays, type Ended } from '../measures.ts';
import { isOfType } from '../sql.ts';
import type { SqliteDatabase } from './sqlite.ts';

export function sqliteFindings(on: StoreState): FindingStore {
  return {
    async keys(query, after, limit) {
      return findingKeysOf(await on.questions.ask('issues', { query, after, limit }), limit);
    },

    /** In one transaction with the entries of the audit trail; findings that are there no more are counted. */
    async say(keys, writing) {
      const { database, writes, trail, quality } = on.parts;
      const told = await writes.add(() => {
        const changed = keys.filter(sayer(database, writing));
        trail.add(entriesOf(changed, writing));
        return { changed: changed.length, gone: keys.length - changed.length };
      });
      quality.forget();
      on.questions.changed(true);
      return told;
    },

    async groups(query, by, limit, sized = true) {
      const rows = await on.questions.ask('issueGroups', { query, by, limit, sized });
      return rows.map(findingGroupOf);
    },

    async write(day, counts) {
      const { database, writes } = on.parts;
      await writes.add(() => {
        database.prepare('DELETE FROM measure WHERE day = ?').run(day);
        database.prepare('DELETE FROM finding_end WHERE ended < ?').run(day - keptDays);
        const add = database.prepare('INSERT INTO measure VALUES (?, ?, ?, ?, ?, ?, ?)');
        for (const { check, type, applied, violated, skipped, findings } of counts) {
          add.run(day, check, type, applied, violated, skipped, findings);
        }
      });
    },

    async read(from, to) {
      return on.parts.database
        .prepare<unknown[], MeasuredDay>(
          `SELECT day, rule AS "check", type, applied, violated, skipped, findings FROM measure
           WHERE day BETWEEN ? AND ? ORDER BY day, rule, type`,
        )
        .all(from, to);
    },

    wholes: (day) => on.questions.ask('wholes', day),

    async compare(from, to, today) {
      const standing = await on.questions.ask('standing', today);
      const gone = on.parts.database
        .prepare<unknown[], Ended>(
          'SELECT ended, since, rule, type, findings FROM finding_end WHERE ended > ?',
        )
        .all(from);
      return changesOf(standing, gone, from, to);
    },
  };
}

/** Writes what is said of a finding; answers whether it is there. */
function sayer(database: SqliteDatabase, { said, doer, now }: Writing): (key: FindingKey) => boolean {
  const { assignee = null, reason = null, until = null, note = null } = said;
  const statements = perType((type) =>
    database.prepare(
      `INSERT INTO finding_state (record, rule, pointer, assignee, waived, until, note, who, time)
       SELECT i.record, i.rule, i.pointer, ?, ?, ?, ?, ?, ? FROM record r CROSS JOIN issue i ON i.record = r.pk
       WHERE ${isOfType('r', type)} AND r.id = ? AND +i.rule = ? AND i.pointer = ? LIMIT 1
       ON CONFLICT (record, rule, pointer) DO UPDATE SET ${setters[said.set]}, who = excluded.who, time = excluded.time`,
    ),
  );
  const by = doer.person ?? doer.who;
  return ({ type, id, rule, pointer }) =>
    statements[type].run(assignee, reason, until, note, by, now, id, rule, pointer).changes > 0;
}
