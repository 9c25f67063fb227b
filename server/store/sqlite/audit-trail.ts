import { parseAddress } from '../../../core/api/address.ts';
import type { AuditAction, AuditEntry, AuditFilter } from '../../../core/app/audit.ts';
import { isResourceType, perType } from '../../../core/fhir/resource.ts';
import { groupSize, isKeyed, noSeal, type SealedRow, type SealKey } from '../audit-chain.ts';
import { beginningOf, ownChain, type ChainedRow, type NamedEnd } from '../audit-chains.ts';
import { conditionsOf, entryIn, sealedGroups, type NewAuditEntry } from '../audit-rows.ts';
import { checksumOf } from '../checksum.ts';
import { every, isOfType, limited, line, sql, type Sql } from '../sql.ts';
import { preparePluck, prepareRaw, type SqliteDatabase } from './sqlite.ts';

/** Where a trail ended at some moment; what goes on from there holds an entry of this number with this seal. */
export interface TrailHead {
  readonly seq: number;
  readonly seal: Buffer;
  /** Place of the newest version: each write takes the next one. */
  readonly version: number;
}

const columns = 'seq, time, who, action, what, version_before, version_after, status, request_id';
const all = `${columns}, sha256, person, reason_sha256, seal`;
/** As it is written: with its number in the chain, where that is not its place. */
const written = `${all}, number`;
const width = written.split(',').length;
const oneRow = `(${Array<string>(width).fill('?').join(', ')})`;

interface SealRow {
  readonly seq: number;
  readonly seal: Buffer | null;
}

/** The newest entry of the folder's own chain. */
interface OwnEnd extends SealRow {
  readonly number: number;
}

/** The audit trail's rows in records.db. Nothing of it is remembered here: a rollback takes the chain's head back too. */
export class AuditTrail {
  private readonly database: SqliteDatabase;
  private readonly key: SealKey | undefined;
  private readonly statements: ReturnType<typeof prepare>;
  private inserts: ReturnType<typeof prepareInserts> | undefined;
  private reasons: ReturnType<typeof reasonsIn> | undefined;

  /** What is added is sealed with the key, where there is one. */
  constructor(database: SqliteDatabase, key?: SealKey) {
    this.database = database;
    this.key = key;
    this.statements = prepare(database);
  }

  /** Adds entries behind the last; belongs into a transaction of the caller's. */
  add(entries: readonly NewAuditEntry[]): void {
    const own = this.statements.newestOwn.get();
    const end = { seq: own?.number ?? 0, seal: own?.seal ?? noSeal };
    const moved = this.newest() - end.seq;
    for (const group of sealedGroups(end, entries, this.key)) this.write(group, moved);
  }

  /** Entries with their seals, those behind a place, in their order. */
  chained(after: number, limit: number): readonly ChainedRow[] {
    return this.statements.chained
      .all(after, limit)
      .map(([place, chain, ...row]) => ({ place, chain: chain ?? ownChain, row }));
  }

  /** The seal of an entry of a chain, by its number there; undefined where it has none, or is not there. */
  sealOf(chain: number, number: number): Buffer | undefined {
    const { sealNumbered, sealUnnumbered } = this.statements;
    const found = sealNumbered?.get(chain === ownChain ? null : chain, number);
    return found ?? (chain === ownChain ? sealUnnumbered.get(number) : undefined) ?? undefined;
  }

  /** Where each chain ends; reads all of the trail. */
  ends(): readonly NamedEnd[] {
    return this.statements.ends.all().map(([chain, number]) => {
      const own = chain ?? ownChain;
      return { chain: own, number, seal: beginningOf(this.sealOf(own, number)) };
    });
  }

  /** Takes entries over from another store, as they are and were sealed there; those that are here stay. */
  takeOver(entries: readonly ChainedRow[]): void {
    const takeOver = this.database.prepare(
      `INSERT OR IGNORE INTO audit (${written}, chain) VALUES (${Array<string>(width).fill('?').join(', ')}, ?)`,
    );
    for (const { place, chain, row } of entries) {
      const [number, ...cells] = row;
      const at = number === place ? null : number;
      takeOver.run(place, ...cells, chain === ownChain ? at : number, chain === ownChain ? null : chain);
    }
  }

  /** Entries behind `after`, oldest first. */
  entries(after: number, limit: number): readonly AuditEntry[] {
    return this.statements.sealed.all(after, limit).map((row) => this.entryOf(row));
  }

  /** Number of the newest entry; 0 where there is none. */
  newest(): number {
    return this.statements.newest.get()?.seq ?? 0;
  }

  /** Where the trail ends; undefined where it is empty. */
  head(): TrailHead | undefined {
    const { seq, seal } = this.statements.newest.get() ?? {};
    if (seq === undefined || !seal) return undefined;
    return { seq, seal, version: this.statements.newestVersion.get() ?? 0 };
  }

  /** The seal of an entry; undefined where it has none, or is not there. */
  sealAt(seq: number): Buffer | undefined {
    return this.statements.sealAt.get(seq) ?? undefined;
  }

  /** Whether there is a key, and the newest entry was sealed without one. */
  awaitsKey(): boolean {
    const seal = this.statements.newest.get()?.seal;
    return this.key !== undefined && seal instanceof Buffer && !isKeyed(seal);
  }

  /** Those of the `span` entries before `before` that the filter lets through, newest first. */
  matching(filter: AuditFilter, before: number, span: number, limit: number): readonly AuditEntry[] {
    const { text, values } = line(
      `SELECT ${all} FROM audit WHERE`,
      among(filter, before, span),
      `ORDER BY seq DESC ${limited(limit)}`,
    );
    return prepareRaw<SealedRow>(this.database, text)
      .all(...values)
      .map((row) => this.entryOf(row));
  }

  /** How many of the `span` entries before `before` that the filter lets through each action has. */
  counts(filter: AuditFilter, before: number, span: number): readonly (readonly [AuditAction, number])[] {
    const { text, values } = line(
      'SELECT action, count(*) FROM audit WHERE',
      among(filter, before, span),
      'GROUP BY action',
    );
    return prepareRaw<[AuditAction, number]>(this.database, text).all(...values);
  }

  private entryOf(row: SealedRow): AuditEntry {
    const [, , , , what, , after, , , , , sum] = row;
    if (!sum || after === null) return entryIn(row);
    this.reasons ??= reasonsIn(this.database);
    return entryIn(row, this.reasons(what, after, sum));
  }

  /** @param moved - What an entry's place is beyond its number in the chain. */
  private write(rows: readonly SealedRow[], moved: number): void {
    this.inserts ??= prepareInserts(this.database);
    const cells = rows.map(([number, ...row]) => [number + moved, ...row, moved === 0 ? null : number]);
    if (rows.length === groupSize) this.inserts.group.run(cells.flat());
    else for (const row of cells) this.inserts.one.run(...row);
  }
}

/** Those of the `span` entries before `before` that the filter lets through. */
function among(filter: AuditFilter, before: number, span: number): Sql {
  return every([sql('seq < ? AND seq >= ?', before, before - span), ...conditionsOf(filter)]);
}

function prepareInserts(database: SqliteDatabase) {
  const insert = `INSERT INTO audit (${written}) VALUES`;
  return {
    one: database.prepare(`${insert} ${oneRow}`),
    group: database.prepare(`${insert} ${Array<string>(groupSize).fill(oneRow).join(', ')}`),
  };
}

/** Columns that a file of an older program lacks, as they are read there. */
const later = ['sha256', 'person', 'reason_sha256', 'chain', 'number'] as const;

/** Which of these columns a file's trail has: the sums of texts, the person, the sums of reasons, chains. */
export function laterColumns(database: SqliteDatabase): ReadonlySet<(typeof later)[number]> {
  const has = preparePluck(database, "SELECT 1 FROM pragma_table_info('audit') WHERE name = ?");
  return new Set(later.filter((column) => has.get(column) !== undefined));
}

function prepare(database: SqliteDatabase) {
  const has = laterColumns(database);
  const [sum, person, reason, chain, number] = later.map((column) => (has.has(column) ? column : 'NULL'));
  const others = columns.slice(columns.indexOf(','));
  const row = (place: string) => `${place}${others}, ${sum}, ${person}, ${reason}, seal`;
  const numbered = `coalesce(${number}, seq)`;
  return {
    newest: database.prepare<unknown[], SealRow>('SELECT seq, seal FROM audit ORDER BY seq DESC LIMIT 1'),
    newestVersion: preparePluck<number>(database, 'SELECT coalesce(max(pk), 0) FROM version'),
    newestOwn: database.prepare<unknown[], OwnEnd>(
      `SELECT seq, ${numbered} AS number, seal FROM audit WHERE ${chain} IS NULL ORDER BY seq DESC LIMIT 1`,
    ),
    sealAt: preparePluck<Buffer | null>(database, 'SELECT seal FROM audit WHERE seq = ?'),
    sealNumbered: has.has('number')
      ? preparePluck<Buffer | null>(database, 'SELECT seal FROM audit WHERE chain IS ? AND number = ?')
      : undefined,
    sealUnnumbered: preparePluck<Buffer | null>(
      database,
      `SELECT seal FROM audit WHERE seq = ? AND ${number} IS NULL`,
    ),
    sealed: prepareRaw<SealedRow>(
      database,
      `SELECT ${row('seq')} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`,
    ),
    ends: prepareRaw<[chain: number | null, number: number]>(
      database,
      `SELECT ${chain}, max(${numbered}) FROM audit GROUP BY 1 ORDER BY ifnull(${chain}, 0)`,
    ),
    chained: prepareRaw<[place: number, chain: number | null, ...row: SealedRow]>(
      database,
      `SELECT seq, ${chain}, ${row(numbered)} FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`,
    ),
  };
}

/**
 * Reads the reason of a version, by the address of its record, out of the version itself: the trail holds its sum alone.
 * Undefined where the version is not there any more, or another stands in its place.
 */
function reasonsIn(database: SqliteDatabase) {
  const reason = perType((type) =>
    preparePluck<string | null>(
      database,
      `SELECT v.reason FROM version v
       WHERE v.record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?) AND v.version = ?`,
    ),
  );
  return (what: string, version: number, sum: Buffer): string | undefined => {
    const { type = '', id = '' } = parseAddress(what) ?? {};
    const found = isResourceType(type) ? reason[type].get(id, version) : undefined;
    return typeof found === 'string' && checksumOf(found).equals(sum) ? found : undefined;
  };
}
