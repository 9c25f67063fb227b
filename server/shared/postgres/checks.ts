import { noIndex } from '../../../core/derive/derive.ts';
import {
  compareProgress,
  slotCounts,
  verdictOn,
  type RecordVerdict,
  type SlotChanges,
} from '../../store/check-progress.ts';
import type { CheckRecord, CheckStore } from '../../store/check-store.ts';
import { findingsOnly } from '../../store/index-tables.ts';
import { byType } from '../../store/issue-rows.ts';
import { checkResultSql, flaggedBySql } from '../../store/issue-sql.ts';
import {
  listRowsFurthestBehind,
  hasNewSql,
  lockProgressRows,
  advanceProgressRows,
  readRecordsAfter,
  listProgressRows,
  type Place,
  type SliceEnd,
} from './check-slots.ts';
import { numbered, type Postgres, type Session } from './connection.ts';
import { reconcileRecords, type Target } from './record-reconciler.ts';
import { readIntactText, textColumns } from './texts.ts';
import { toColumns } from './version-rows.ts';
import { locks } from './locks.ts';
import type { Writes } from './writes.ts';

const resetColumns = "seen = '1:1:', passing = NULL, at_xid = '1', at_pk = 0, reached = 0, halted = false";

const addSql = `INSERT INTO check_slot (slot, id, type, stamp)
  SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[])`;

const setSql = `UPDATE check_slot s SET type = w.type, stamp = w.stamp, ${resetColumns}
  FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[]) w(slot, id, type, stamp) WHERE s.slot = w.slot`;

const resultSql = `INSERT INTO check_result AS c (record, applied, skipped)
  SELECT w.record, w.applied, w.skipped
  FROM unnest($1::bigint[], $2::bigint[], $3::integer[], $4::integer[]) w(record, current, applied, skipped)
  JOIN record r ON r.pk = w.record AND r.current = w.current LEFT JOIN check_result o ON o.record = w.record
  WHERE w.applied <> 0 OR w.skipped <> 0 OR o.record IS NOT NULL
  ON CONFLICT (record) DO UPDATE SET applied = (c.applied & ~$5::integer) | excluded.applied,
    skipped = (c.skipped & ~$5::integer) | excluded.skipped
  WHERE c.applied & $5::integer <> excluded.applied OR c.skipped & $5::integer <> excluded.skipped`;

const dropResultSql =
  'DELETE FROM check_result WHERE record = ANY ($1::bigint[]) AND applied = 0 AND skipped = 0';

const progressSql = `SELECT s.slot, s.id, s.halted, s.reached, s.passing IS NULL AND NOT ${hasNewSql},
  coalesce((SELECT max(pk) FROM version), 0) FROM check_slot s WHERE s.stamp <> '' ORDER BY s.slot`;

const skippedSql = `SELECT r.id FROM check_slot s JOIN check_result c ON c.skipped & (1 << s.slot) <> 0
  JOIN record r ON r.pk = c.record WHERE s.id = $1 ORDER BY r.id LIMIT $2::integer`;

const sampleSql = `SELECT r.id, ${textColumns} FROM record r JOIN version v ON v.pk = r.current
  WHERE r.type = $1 AND r.id > $2 ORDER BY r.id LIMIT $3::integer`;

/** Result of a batch's checks for one of its records. */
type RecordResult = RecordVerdict & CheckRecord;

/** Records which custom checks ran on which records, for all servers. */
export function postgresChecks(database: Postgres, writes: Writes): CheckStore {
  const store: CheckStore = {
    async settle(checks) {
      const hasChanges = ({ changedRows, newRows }: SlotChanges) =>
        changedRows.length > 0 || newRows.length > 0;
      if (!hasChanges(compareProgress(await listProgressRows(database), checks))) return;
      await writes.addSeparately(async ({ session }) => {
        // Concurrent calls run one after the other, so the second sees the rows of the first.
        await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.slots] });
        const { changedRows, newRows } = compareProgress(await listProgressRows(session), checks);
        for (const [text, progressRows] of [
          [setSql, changedRows],
          [addSql, newRows],
        ] as const) {
          const rows = progressRows.map(({ slot: slotNumber, id, type, stamp }) => [
            slotNumber,
            id,
            type,
            stamp,
          ]);
          if (rows.length > 0) await session.rows({ text, values: toColumns(rows, 4) });
        }
      });
    },

    async renew() {
      await database.rows({ text: `UPDATE check_slot SET ${resetColumns}` });
    },

    async next() {
      for (;;) {
        const checkRows = await listRowsFurthestBehind(database);
        const [firstRow] = checkRows;
        if (!firstRow) return undefined;
        const { place } = firstRow;
        const { records, end } = await readRecordsAfter(database, place);
        const checks = checkRows.map(({ place: _, ...check }) => check);
        const slice = { checks, records, from: JSON.stringify(place), until: JSON.stringify(end) };
        if (records.length > 0) return slice;
        await store.write(slice, [], new Set(), 0);
      }
    },

    async write({ checks, records, from, until }, results, haltedIds, day) {
      const recordResults = records.map((record, index): RecordResult => ({
        ...record,
        ...verdictOn(checks, results[index] ?? [], record.type),
      }));
      await writes.addSeparately(async (context) => {
        const { session } = context;
        if (!(await lockProgressRows(session, checks, JSON.parse(from) as Place))) return;
        if (recordResults.length > 0) await writeResults(session, recordResults);
        for (const type of [...new Set(recordResults.map((result) => result.type))].sort()) {
          const targets = recordResults.flatMap((result) => (result.type === type ? targetOf(result) : []));
          await reconcileRecords(context, { ...findingsOnly, type }, targets, day);
        }
        await advanceProgressRows(session, checks, JSON.parse(until) as SliceEnd, haltedIds);
      });
    },

    async progress() {
      const [rows, countRows] = await Promise.all([
        database.rows({ text: progressSql }),
        database.rows(numbered(checkResultSql)),
      ]);
      const counts = slotCounts(countRows);
      return rows.map(([slotNumber, id, isHalted, reachedVersion, isDone, latestVersion]) => {
        const total = Number(latestVersion);
        const done = isDone ? total : Math.max(0, Math.min(Number(reachedVersion), total - 1));
        return {
          id: String(id),
          done,
          total,
          halted: Boolean(isHalted),
          ...(counts[Number(slotNumber)] ?? { applied: 0, skipped: 0 }),
        };
      });
    },

    async countFlagged(folder) {
      return byType(await database.rows(numbered(flaggedBySql(folder))));
    },

    async listSkipped(id, limit) {
      const rows = await database.rows({ text: skippedSql, values: [id, limit] });
      return rows.map(([recordId]) => String(recordId));
    },

    async sample(type, after, limit) {
      const rows = await database.rows({ text: sampleSql, values: [type, after, limit] });
      return rows.map(([id, ...text]) => ({ id: String(id), text: readIntactText(text) }));
    },
  };
  return store;
}

async function writeResults(session: Session, results: readonly RecordResult[]): Promise<void> {
  const rows = results.map(({ record, version, applied, skippedMask }) => [
    record,
    version,
    applied,
    skippedMask,
  ]);
  const values = [...toColumns(rows, 4), results[0]?.evaluatedMask ?? 0];
  await session.rows({ text: resultSql, values });
  await session.rows({ text: dropResultSql, values: [results.map(({ record }) => record)] });
}

function targetOf({ record, version, theirs, findings }: RecordResult): Target {
  return {
    record,
    current: version,
    expect: (existingIssues) => ({
      index: noIndex,
      issues: [...existingIssues.filter((issue) => !theirs(issue)), ...findings],
    }),
  };
}
