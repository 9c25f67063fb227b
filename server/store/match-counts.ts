import type { SearchCriteria } from '../../core/fhir/search-criteria.ts';
import { countSql, newerCountSql, type Plan } from './search-plan.ts';
import { sql } from './sql.ts';
import type { Statements } from './statements.ts';

/** Numbers that are remembered; pages of a search ask for the same one. */
const most = 1000;

/**
 * Matches that are counted anew in the time in which one record is tested: of so many fewer new records each is
 * tested.
 */
const testCost = 10;

/** The numbers of the last version and the last record: both only ever grow, by one for each that is stored. */
interface Extent {
  readonly versions: number;
  readonly records: number;
}

interface Known {
  readonly total: number;
  readonly extent: Extent;
}

/**
 * Remembers how many records match a search. Where records alone were added since, only those are looked at: while an
 * import runs, nobody reads all matches again and again. A change of a record counts anew.
 */
export class MatchCounts {
  private readonly statements: Statements;
  private readonly known = new Map<string, Known>();
  private latest: Extent | undefined;

  constructor(statements: Statements) {
    this.statements = statements;
  }

  count(criteria: SearchCriteria, plan: Plan): number {
    const query = countSql(criteria, plan);
    const key = JSON.stringify([query.text, query.values]);
    const extent = this.extent();
    const known = this.known.get(key);
    const total = (known && this.grown(known, criteria, plan)) ?? this.statements.number(query);
    if (this.known.size >= most) this.known.clear();
    this.known.set(key, { total, extent });
    return total;
  }

  /** The number of the last write: each adds a version, and nothing else changes what is found. */
  written(): number {
    return this.extent().versions;
  }

  /** Something was written. */
  moved(): void {
    this.latest = undefined;
  }

  /** What was read was undone, or removed. */
  forget(): void {
    this.known.clear();
    this.moved();
  }

  private extent(): Extent {
    this.latest ??= {
      versions: this.statements.number(sql('SELECT max(pk) FROM version')),
      records: this.statements.number(sql('SELECT max(pk) FROM record')),
    };
    return this.latest;
  }

  /** The number now; undefined where more than additions came since, or where counting anew is cheaper. */
  private grown({ total, extent }: Known, criteria: SearchCriteria, plan: Plan): number | undefined {
    const { versions, records } = this.extent();
    const added = records - extent.records;
    if (versions - extent.versions !== added) return undefined;
    if (added === 0) return total;
    if (plan.driver && added * testCost > total) return undefined;
    return total + this.statements.number(newerCountSql(criteria, extent.records));
  }
}
