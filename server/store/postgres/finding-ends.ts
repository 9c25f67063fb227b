import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Session } from './connection.ts';
import { listsOf } from './version-rows.ts';

type Row = readonly [ended: number, since: number, rule: string, type: ResourceType];

const text = `INSERT INTO finding_end (ended, since, rule, type, findings)
  SELECT * FROM unnest($1::integer[], $2::integer[], $3::text[], $4::text[], $5::integer[])
  ON CONFLICT (ended, since, rule, type) DO UPDATE SET findings = finding_end.findings + excluded.findings`;

/**
 * Findings that end with a transaction, counted at its end: many records share a row, and transactions that took such rows
 * in the order of their records would wait for each other in a circle.
 */
export class FindingEnds {
  private readonly counts = new Map<string, { readonly row: Row; count: number }>();

  /** A finding ends on a day. One that began on it stood at the end of none. */
  add(...row: Row): void {
    const [ended, since] = row;
    if (since >= ended) return;
    const key = row.join(' ');
    const known = this.counts.get(key);
    if (known) known.count += 1;
    else this.counts.set(key, { row, count: 1 });
  }

  /** To be called behind everything else that the transaction does with records. */
  async write(session: Session): Promise<void> {
    if (this.counts.size === 0) return;
    const inOrder = [...this.counts].sort(([one], [other]) => (one < other ? -1 : 1));
    const rows = inOrder.map(([, { row, count }]) => [...row, count]);
    await session.rows({ text, values: listsOf(rows, 5) });
  }
}
