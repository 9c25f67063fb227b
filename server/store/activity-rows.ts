/** Rows of the activity log and the SQL of its pages, for every engine. */
import * as v from 'valibot';
import {
  jobKinds,
  requestKinds,
  type ActivityEntry,
  type ActivityFilter,
  type ActivityPage,
  type ActivityRecord,
  type NewJob,
} from '../../core/app/activity.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { ActivityCursor, NewRequest } from './activity-log.ts';
import type { Dialect } from './dialect.ts';
import { columnsIn, joinAnd, limited, line, columnNames, joinOr, sql, type Sql, type Value } from './sql.ts';

/** Columns after `seq`, with their PostgreSQL types for lists. */
export const activityColumns = columnsIn(`time bigint, kind text, connection text, method text, path text,
  status integer, ms double precision, request_bytes bigint, answer_bytes bigint, request_id text, record_type text,
  record_id text, version_before integer, version_after integer, note text, counts text`);

export const activityNames = columnNames(activityColumns);

/** Connection name of the server's own records. */
export const localName = 'Local';

export function rowOfRequest(entry: NewRequest): readonly Value[] {
  const { time, kind, connection, method, path, status, ms, record } = entry;
  const sizes = [ms, entry.requestBytes, entry.answerBytes];
  const recordCells = [
    record?.type ?? null,
    record?.id ?? null,
    record?.before ?? null,
    record?.after ?? null,
  ];
  const row = [Date.parse(time), kind, connection, method, path, status, ...sizes, entry.requestId];
  return [...row, ...recordCells, '', '{}'].map(toStoredValue);
}

export function rowOfJob(
  { kind, note, counts, connection = localName }: NewJob,
  now: number,
): readonly Value[] {
  const recordCells = [null, null, null, null];
  const row = [now, kind, connection, '', '', 0, 0, 0, 0, ''];
  return [...row, ...recordCells, note, JSON.stringify(counts)].map(toStoredValue);
}

/** Replaces U+0000, which PostgreSQL cannot store, so that every engine returns the same value. */
function toStoredValue(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

const Counts = v.record(v.string(), v.number());

/** Converts a row `[seq, ...columns]` to an entry. */
export function entryOf(row: readonly Value[]): ActivityEntry {
  const [seq, time, kind, connection, method, path, status, ms, requestBytes, answerBytes, requestId] = row;
  const base = {
    seq: Number(seq),
    time: new Date(Number(time)).toISOString(),
    connection: String(connection),
  };
  const job = jobKinds.find((jobKind) => jobKind === kind);
  if (job) {
    const [note, counts] = row.slice(15);
    return { ...base, kind: job, note: String(note), counts: parseAs(Counts, String(counts)) ?? {} };
  }
  const record = recordOf(row.slice(11, 15));
  return {
    ...base,
    kind: requestKinds.find((requestKind) => requestKind === kind) ?? 'app',
    method: String(method),
    path: String(path),
    status: Number(status),
    ms: Number(ms),
    requestBytes: Number(requestBytes),
    answerBytes: Number(answerBytes),
    requestId: String(requestId),
    ...(record && { record }),
  };
}

function recordOf([type, id, before, after]: readonly Value[]): ActivityRecord | undefined {
  if (typeof type !== 'string' || typeof id !== 'string') return undefined;
  return {
    type,
    id,
    ...(before !== null && { before: Number(before) }),
    ...(after !== null && { after: Number(after) }),
  };
}

/** Returns the SQL of a page of entries, latest first, and of the count of all matches. */
export function pageSql(
  filter: ActivityFilter,
  { before, after, count }: ActivityCursor,
  dialect: Pick<Dialect, 'contains'>,
): { readonly page: Sql; readonly total: Sql } {
  const filterConditions = conditionsOf(filter, dialect);
  const cursorConditions = [
    ...(before === undefined ? [] : [sql('seq < ?', before)]),
    ...(after === undefined ? [] : [sql('seq > ?', after)]),
  ];
  const page = line(
    `SELECT seq, ${activityNames} FROM activity WHERE`,
    joinAnd([...filterConditions, ...cursorConditions]),
    // Request one extra to learn whether more exist.
    `ORDER BY seq DESC ${limited(count + 1)}`,
  );
  return { page, total: line('SELECT count(*) FROM activity WHERE', joinAnd(filterConditions)) };
}

/** Converts the rows of {@link pageSql} to a page. */
export function pageOf(rows: readonly (readonly Value[])[], total: number, count: number): ActivityPage {
  const entries = rows.slice(0, count).map(entryOf);
  const lastEntry = rows.length > count ? entries.at(-1) : undefined;
  return { entries, total, ...(lastEntry && { next: lastEntry.seq }) };
}

function conditionsOf(
  { text = '', method, status, kind, since }: ActivityFilter,
  { contains }: Pick<Dialect, 'contains'>,
): readonly Sql[] {
  // SQL of both engines lowers ASCII letters only.
  const part = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const hundreds = Number(status?.[0]) * 100;
  return [
    ...(part === ''
      ? []
      : [joinOr(['path', 'note', 'request_id'].map((column) => contains(`lower(${column})`, part)))]),
    ...(method === undefined ? [] : [sql('method = ?', method)]),
    ...(status === undefined ? [] : [sql('status BETWEEN ? AND ?', hundreds, hundreds + 99)]),
    ...(kind === undefined ? [] : [sql('kind = ?', kind)]),
    ...(since === undefined ? [] : [sql('time >= ?', Date.parse(since))]),
  ];
}
