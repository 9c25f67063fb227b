import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { limited } from '../sql.ts';
import type { Given, Session } from './connection.ts';
import { soundText, textColumns } from './texts.ts';

/** Records that are read at once, and bytes of their texts. */
const most = { records: 200, bytes: 2_000_000 };

/** A record at its current version. */
export interface ReadRecord {
  readonly record: number;
  readonly type: ResourceType;
  readonly current: number;
  /** When it is to be judged again, in milliseconds since 1970. */
  readonly day: number;
  /** Undefined where the text is damaged. */
  readonly root: JsonObject | undefined;
}

/** Which records are read: a condition on `r`, and their order. */
export interface RecordsAsked {
  readonly where: string;
  readonly by: 'pk' | 'judge_again, pk';
  readonly values: readonly Given[];
}

/** The first of the records with their texts, as many as are read at once; whether there are no others. */
export async function nextRecords(
  session: Session,
  { where, by, values }: RecordsAsked,
): Promise<{ readonly records: readonly ReadRecord[]; readonly ended: boolean }> {
  const text = `SELECT t.pk, t.type, t.current, t.judge_again, t.rows, ${textColumns}
    FROM (SELECT p.*, count(*) OVER () AS rows, row_number() OVER w AS at, sum(octet_length(o.body)) OVER w AS through
      FROM (SELECT r.pk, r.type, r.current, r.judge_again FROM record r WHERE ${where}
        ORDER BY ${by} ${limited(most.records)}) p
      JOIN version o ON o.pk = p.current WINDOW w AS (ORDER BY ${by.replace('pk', 'p.pk')})) t
    JOIN version v ON v.pk = t.current WHERE t.at = 1 OR t.through <= ${most.bytes} ORDER BY t.at`;
  const rows = await session.rows({ text, values });
  const records = rows.map(([record, type, current, day, , ...body]): ReadRecord => {
    const found = soundText(body);
    return {
      ...{ record: Number(record), type: String(type) as ResourceType, current: Number(current) },
      ...{ day: Number(day), root: found === undefined ? undefined : objectIn(found) },
    };
  });
  const there = Number(rows[0]?.[4] ?? 0);
  return { records, ended: rows.length === there && there < most.records };
}
