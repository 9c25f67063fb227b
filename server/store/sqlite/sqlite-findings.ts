/**
 * Stores states and daily counts of findings. Full scans run in reader threads. Invariant: a day has the counts that
 * were written last.
 */
import type { FindingKey } from '../../../core/app/findings.ts';
import { perType } from '../../../core/fhir/resource.ts';
import type { StoreState } from './reader-client.ts';
import {
  entriesOf,
  setters,
  type FindingStore,
  type MeasuredDay,
  type FindingUpdate,
} from '../finding-states.ts';
import { findingKeysOf } from '../issue-rows.ts';
import { findingGroupOf } from '../issue-sql.ts';
import { changesOf, retentionDays, type ClosedFindings } from '../measures.ts';
import { isOfType } from '../sql.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';

export function sqliteFindings(state: StoreState): FindingStore {
  return {
    async keys(query, after, limit) {
      return findingKeysOf(await state.readerClient.query('issues', { query, after, limit }), limit);
    },

    /** Writes states in one transaction with their audit entries. Findings that no longer exist are counted. */
    async say(keys, stateChange) {
      const { database, writes, auditLog, quality } = state.parts;
      const result = await writes.add(() => {
        const changedKeys = keys.filter(createStateWriter(database, stateChange));
        auditLog.add(entriesOf(changedKeys, stateChange));
        return { changed: changedKeys.length, gone: keys.length - changedKeys.length };
      });
      quality.forget();
      state.readerClient.onRowsChanged(true);
      return result;
    },

    async groups(query, groupBy, limit, withSizes = true) {
      const rows = await state.readerClient.query('issueGroups', {
        query,
        groupBy,
        limit,
        isSized: withSizes,
      });
      return rows.map(findingGroupOf);
    },

    async write(day, counts) {
      const { database, writes } = state.parts;
      await writes.add(() => {
        database.prepare('DELETE FROM measure WHERE day = ?').run(day);
        database.prepare('DELETE FROM finding_end WHERE ended < ?').run(day - retentionDays);
        const add = database.prepare('INSERT INTO measure VALUES (?, ?, ?, ?, ?, ?, ?)');
        for (const {
          check,
          type,
          applied,
          violated: violatedCount,
          skipped: skippedCount,
          findings,
        } of counts) {
          add.run(day, check, type, applied, violatedCount, skippedCount, findings);
        }
      });
    },

    async read(from, to) {
      return state.parts.database
        .prepare<unknown[], MeasuredDay>(
          `SELECT day, rule AS "check", type, applied, violated, skipped, findings FROM measure
           WHERE day BETWEEN ? AND ? ORDER BY day, rule, type`,
        )
        .all(from, to);
    },

    wholes: (day) => state.readerClient.query('wholes', day),

    async compare(from, to, today) {
      const openFindings = await state.readerClient.query('standing', today);
      const closedFindings = state.parts.database
        .prepare<unknown[], ClosedFindings>(
          'SELECT ended AS endDay, since, rule, type, findings FROM finding_end WHERE ended > ?',
        )
        .all(from);
      return changesOf(openFindings, closedFindings, from, to);
    },
  };
}

/** Creates a function that writes the state of a finding. Returns true if the finding exists. */
function createStateWriter(
  database: SqliteDatabase,
  { newState, actor, now }: FindingUpdate,
): (key: FindingKey) => boolean {
  const { assignee = null, reason = null, until = null, note = null } = newState;
  const statements = perType((type) =>
    database.prepare(
      `INSERT INTO finding_state (record, rule, pointer, assignee, waived, until, note, who, time)
       SELECT i.record, i.rule, i.pointer, ?, ?, ?, ?, ?, ? FROM record r CROSS JOIN issue i ON i.record = r.pk
       WHERE ${isOfType('r', type)} AND r.id = ? AND +i.rule = ? AND i.pointer = ? LIMIT 1
       ON CONFLICT (record, rule, pointer) DO UPDATE SET ${setters[newState.set]}, who = excluded.who, time = excluded.time`,
    ),
  );
  const author = actor.person ?? actor.who;
  return ({ type, id, rule, pointer }) =>
    statements[type].run(assignee, reason, until, note, author, now, id, rule, pointer).changes > 0;
}
