import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { limited } from '../../store/sql.ts';
import type { SqlParameter, Session } from './connection.ts';
import { readIntactText, textColumns } from './texts.ts';

/** Limits of one batch: records and bytes of their texts. */
const maxBatch = { records: 200, bytes: 2_000_000 };

export interface ReadRecord {
  readonly record: number;
  readonly type: ResourceType;
  readonly current: number;
  /** Time of the next validation, in milliseconds since 1970. */
  readonly day: number;
  /** Undefined if the text is damaged. */
  readonly root: JsonObject | undefined;
}

/** Selection of records: a condition on `r` and an order. */
export interface RecordQuery {
  readonly where: string;
  readonly orderBy: 'pk' | 'judge_again, pk';
  readonly values: readonly SqlParameter[];
}

/** Reads the first batch of records with their texts. `ended` is true if no further records exist. */
export async function readNextRecords(
  session: Session,
  { where, orderBy, values }: RecordQuery,
): Promise<{ readonly records: readonly ReadRecord[]; readonly isLast: boolean }> {
  const text = `SELECT t.pk, t.type, t.current, t.judge_again, t.rows, ${textColumns}
    FROM (SELECT p.*, count(*) OVER () AS rows, row_number() OVER w AS at, sum(octet_length(o.body)) OVER w AS through
      FROM (SELECT r.pk, r.type, r.current, r.judge_again FROM record r WHERE ${where}
        ORDER BY ${orderBy} ${limited(maxBatch.records)}) p
      JOIN version o ON o.pk = p.current WINDOW w AS (ORDER BY ${orderBy.replace('pk', 'p.pk')})) t
    JOIN version v ON v.pk = t.current WHERE t.at = 1 OR t.through <= ${maxBatch.bytes} ORDER BY t.at`;
  const rows = await session.rows({ text, values });
  const records = rows.map(([record, type, current, day, , ...body]): ReadRecord => {
    const intactText = readIntactText(body);
    return {
      record: Number(record),
      type: String(type) as ResourceType,
      current: Number(current),
      day: Number(day),
      root: intactText === undefined ? undefined : objectIn(intactText),
    };
  });
  const totalCount = Number(rows[0]?.[4] ?? 0);
  return { records, isLast: rows.length === totalCount && totalCount < maxBatch.records };
}
