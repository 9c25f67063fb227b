import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Session } from './connection.ts';
import { toColumns } from './version-rows.ts';

type Row = readonly [ended: number, since: number, rule: string, type: ResourceType];

const text = `INSERT INTO finding_end (ended, since, rule, type, findings)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[], $4::text[], $5::integer[])
  ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = finding_end.findings + excluded.findings`;

/**
 * Counts the findings that end within a transaction, and writes the counts at its end. Many records share a
 * row. Updates in the order of records would cause deadlocks.
 */
export class FindingEndCounter {
  private readonly counts = new Map<string, { readonly row: Row; count: number }>();

  /** Counts a finding that ends on a day. A finding that also began on this day is not counted. */
  add(...row: Row): void {
    const [endDay, startDay] = row;
    if (startDay >= endDay) return;
    const key = row.join(' ');
    const existing = this.counts.get(key);
    if (existing) existing.count += 1;
    else this.counts.set(key, { row, count: 1 });
  }

  /** Call it after all other writes of the transaction. */
  async write(session: Session): Promise<void> {
    if (this.counts.size === 0) return;
    const sortedCounts = [...this.counts].sort(([leftKey], [rightKey]) => (leftKey < rightKey ? -1 : 1));
    const rows = sortedCounts.map(([, { row, count }]) => [...row, count]);
    await session.rows({ text, values: toColumns(rows, 5) });
  }
}
