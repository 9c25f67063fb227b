import * as v from 'valibot';
import { jobKinds, requestKinds, type ActivityEntry, type ActivityRecord } from '../../core/app/activity.ts';
import { parseAs } from '../../core/json/shape.ts';

const Counts = v.record(v.string(), v.number());

/** A row of the table `activity`, as the driver gives it. */
export interface ActivityRow {
  readonly seq: number;
  readonly time: number;
  readonly kind: string;
  readonly connection: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly ms: number;
  readonly request_bytes: number;
  readonly answer_bytes: number;
  readonly request_id: string;
  readonly record_type: string | null;
  readonly record_id: string | null;
  readonly version_before: number | null;
  readonly version_after: number | null;
  readonly note: string;
  readonly counts: string;
}

/** The entry that a row holds. */
export function entryOf(row: ActivityRow): ActivityEntry {
  const { seq, connection } = row;
  const base = { seq, time: new Date(row.time).toISOString(), connection };
  const job = jobKinds.find((kind) => kind === row.kind);
  if (job) {
    return { ...base, kind: job, note: row.note, counts: parseAs(Counts, row.counts) ?? {} };
  }
  const record = recordOf(row);
  return {
    ...base,
    kind: requestKinds.find((kind) => kind === row.kind) ?? 'app',
    method: row.method,
    path: row.path,
    status: row.status,
    ms: row.ms,
    requestBytes: row.request_bytes,
    answerBytes: row.answer_bytes,
    requestId: row.request_id,
    ...(record && { record }),
  };
}

function recordOf(row: ActivityRow): ActivityRecord | undefined {
  const { record_type: type, record_id: id, version_before: before, version_after: after } = row;
  if (type === null || id === null) return undefined;
  return { type, id, ...(before !== null && { before }), ...(after !== null && { after }) };
}
