import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { isOfType } from '../sql.ts';
import { preparePluck, type SqliteDatabase } from './sqlite.ts';

/**
 * How many records there are of each type, without going through a million of them each time that someone asks: none
 * is removed but with all others, so those alone are counted that came since.
 */
export class RecordCounts {
  private readonly newest: () => number;
  private readonly since: Readonly<Record<ResourceType, (pk: number) => number>>;
  private known: { readonly newest: number; readonly totals: Readonly<Record<ResourceType, number>> };

  constructor(database: SqliteDatabase) {
    const newest = preparePluck<number>(database, 'SELECT coalesce(max(pk), 0) FROM record');
    this.newest = () => newest.get() ?? 0;
    this.since = perType((type) => {
      const all = `SELECT count(*) FROM record r WHERE ${isOfType('r', type)}`;
      // All of a type are counted in the narrowest index, few in the table.
      const [first, later] = [all, `${all} AND pk > ?`].map((text) => preparePluck<number>(database, text));
      return (pk) => (pk === 0 ? first?.get() : later?.get(pk)) ?? 0;
    });
    this.known = { newest: 0, totals: perType(() => 0) };
  }

  count(): Record<ResourceType, number> {
    const { newest: before, totals } = this.known;
    const newest = this.newest();
    if (newest !== before) {
      this.known = { newest, totals: perType((type) => totals[type] + this.since[type](before)) };
    }
    return { ...this.known.totals };
  }

  /** Records were removed, or what was read was undone. */
  forget(): void {
    this.known = { newest: 0, totals: perType(() => 0) };
  }
}
