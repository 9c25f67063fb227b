/** How entries of the activity log lie in rows, and how a page of them is asked for: one for every engine. */
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
import type { ActivityPlace, NewRequest } from './activity-log.ts';
import type { Dialect } from './dialect.ts';
import { columnsIn, every, limited, line, columnNames, some, sql, type Sql, type Value } from './sql.ts';

/** The columns behind `seq`, and how PostgreSQL is given lists of them. */
export const activityColumns = columnsIn(`time bigint, kind text, connection text, method text, path text,
  status integer, ms double precision, request_bytes bigint, answer_bytes bigint, request_id text, record_type text,
  record_id text, version_before integer, version_after integer, note text, counts text`);

export const activityNames = columnNames(activityColumns);

/** Name of the server's own records among the connections. */
export const localName = 'Local';

export function rowOfRequest(entry: NewRequest): readonly Value[] {
  const { time, kind, connection, method, path, status, ms, record } = entry;
  const sizes = [ms, entry.requestBytes, entry.answerBytes];
  const named = [record?.type ?? null, record?.id ?? null, record?.before ?? null, record?.after ?? null];
  const row = [Date.parse(time), kind, connection, method, path, status, ...sizes, entry.requestId];
  return [...row, ...named, '', '{}'].map(kept);
}

export function rowOfJob(
  { kind, note, counts, connection = localName }: NewJob,
  now: number,
): readonly Value[] {
  const none = [null, null, null, null];
  const row = [now, kind, connection, '', '', 0, 0, 0, 0, ''];
  return [...row, ...none, note, JSON.stringify(counts)].map(kept);
}

/** What every engine gives back as it is: PostgreSQL keeps no U+0000. */
function kept(value: Value): Value {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

const Counts = v.record(v.string(), v.number());

/** The entry of a row, `seq` before its columns. */
export function entryOf(row: readonly Value[]): ActivityEntry {
  const [seq, time, kind, connection, method, path, status, ms, requestBytes, answerBytes, requestId] = row;
  const base = {
    seq: Number(seq),
    time: new Date(Number(time)).toISOString(),
    connection: String(connection),
  };
  const job = jobKinds.find((one) => one === kind);
  if (job) {
    const [note, counts] = row.slice(15);
    return { ...base, kind: job, note: String(note), counts: parseAs(Counts, String(counts)) ?? {} };
  }
  const record = recordOf(row.slice(11, 15));
  return {
    ...base,
    kind: requestKinds.find((one) => one === kind) ?? 'app',
    ...{ method: String(method), path: String(path), status: Number(status), ms: Number(ms) },
    ...{ requestBytes: Number(requestBytes), answerBytes: Number(answerBytes), requestId: String(requestId) },
    ...(record && { record }),
  };
}

function recordOf([type, id, before, after]: readonly Value[]): ActivityRecord | undefined {
  if (typeof type !== 'string' || typeof id !== 'string') return undefined;
  return {
    ...{ type, id },
    ...(before !== null && { before: Number(before) }),
    ...(after !== null && { after: Number(after) }),
  };
}

/** What asks for a page of entries, newest first, and for the number of all that match. */
export function pageSql(
  filter: ActivityFilter,
  { before, after, count }: ActivityPlace,
  dialect: Pick<Dialect, 'holds'>,
): { readonly page: Sql; readonly total: Sql } {
  const matching = conditionsOf(filter, dialect);
  const placed = [
    ...(before === undefined ? [] : [sql('seq < ?', before)]),
    ...(after === undefined ? [] : [sql('seq > ?', after)]),
  ];
  const page = line(
    `SELECT seq, ${activityNames} FROM activity WHERE`,
    every([...matching, ...placed]),
    // One more tells whether there is a further page.
    `ORDER BY seq DESC ${limited(count + 1)}`,
  );
  return { page, total: line('SELECT count(*) FROM activity WHERE', every(matching)) };
}

/** The page that {@link pageSql} asked for. */
export function pageOf(rows: readonly (readonly Value[])[], total: number, count: number): ActivityPage {
  const entries = rows.slice(0, count).map(entryOf);
  const last = rows.length > count ? entries.at(-1) : undefined;
  return { entries, total, ...(last && { next: last.seq }) };
}

function conditionsOf(
  { text = '', method, status, kind, since }: ActivityFilter,
  { holds }: Pick<Dialect, 'holds'>,
): readonly Sql[] {
  // As far as both engines fold what they keep.
  const part = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const hundreds = Number(status?.[0]) * 100;
  return [
    ...(part === ''
      ? []
      : [some(['path', 'note', 'request_id'].map((column) => holds(`lower(${column})`, part)))]),
    ...(method === undefined ? [] : [sql('method = ?', method)]),
    ...(status === undefined ? [] : [sql('status BETWEEN ? AND ?', hundreds, hundreds + 99)]),
    ...(kind === undefined ? [] : [sql('kind = ?', kind)]),
    ...(since === undefined ? [] : [sql('time >= ?', Date.parse(since))]),
  ];
}
