import { parseAddress } from '../../../core/api/address.ts';
import type { AuditAction, AuditEntry, AuditFilter } from '../../../core/app/audit.ts';
import { isResourceType, perType, type ResourceType } from '../../../core/fhir/resource.ts';
import {
  groupSize,
  isKeyed,
  initialSeal,
  conditionsOf,
  entryIn,
  sealedGroups,
  type SealedRow,
  type SealKey,
  type NewAuditEntry,
} from '../audit-chain.ts';
import { beginningOf, localChain, type ChainedRow, type NamedEnd } from '../audit-chains.ts';
import type { ChainHead } from '../audit-log.ts';
import { checksumOf } from '../checksum.ts';
import { joinAnd, isOfType, limited, line, sql, type Sql } from '../sql.ts';
import { hasTable, preparePluck, prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';

const columns = 'seq, time, who, action, what, version_before, version_after, status, request_id';
const sealedColumns = `${columns}, sha256, person, reason_sha256, seal`;
/** Columns of an insert. `number` is the number in the chain if it differs from `seq`. */
const insertedColumns = `${sealedColumns}, number`;
const width = insertedColumns.split(',').length;
const oneRow = `(${Array<string>(width).fill('?').join(', ')})`;

interface SealRow {
  readonly seq: number;
  readonly seal: Buffer | null;
}

/** The latest entry of the folder's own chain. */
interface LocalEnd extends SealRow {
  readonly number: number;
}

/** Reads and appends the audit rows in records.db. Caches no chain head, because a rollback also reverts it. */
export class AuditLogWriter {
  private readonly database: SqliteDatabase;
  private readonly key: SealKey | undefined;
  private readonly statements: ReturnType<typeof prepare>;
  private inserts: ReturnType<typeof prepareInserts> | undefined;
  private reasons: ReturnType<typeof reasonsIn> | undefined;

  /** Seals new entries with the key, if there is one. */
  constructor(database: SqliteDatabase, key?: SealKey) {
    this.database = database;
    this.key = key;
    this.statements = prepare(database);
  }

  /** Appends entries. The caller opens the transaction. */
  add(entries: readonly NewAuditEntry[]): void {
    const latestRow = this.statements.newestOwn.get();
    const end = { seq: latestRow?.number ?? 0, seal: latestRow?.seal ?? initialSeal };
    const seqShift = this.newest() - end.seq;
    for (const group of sealedGroups(end, entries, this.key)) this.write(group, seqShift);
  }

  /** Returns entries with their seals in order, from the first after a sequence number. */
  readChained(afterSeq: number, limit: number): readonly ChainedRow[] {
    return this.statements.chained
      .all(afterSeq, limit)
      .map(([place, chain, ...row]) => ({ place, chain: chain ?? localChain, row }));
  }

  /** Returns the seal of an entry by chain and number, or undefined if there is none. */
  sealOf(chain: number, number: number): Buffer | undefined {
    const { sealNumbered, sealUnnumbered } = this.statements;
    const seal = sealNumbered?.get(chain === localChain ? null : chain, number);
    return seal ?? (chain === localChain ? sealUnnumbered.get(number) : undefined) ?? undefined;
  }

  /** Returns the end of each chain. Reads the full log. */
  listChainEnds(): readonly NamedEnd[] {
    return this.statements.ends.all().map(([chain, number]) => {
      const chainId = chain ?? localChain;
      return { chain: chainId, number, seal: beginningOf(this.sealOf(chainId, number)) };
    });
  }

  /** Copies entries of another store with their seals. Existing entries stay. */
  insertMoved(entries: readonly ChainedRow[]): void {
    const insertEntry = this.database.prepare(
      `INSERT OR IGNORE INTO audit (${insertedColumns}, chain) VALUES (${Array<string>(width).fill('?').join(', ')}, ?)`,
    );
    for (const { place, chain, row } of entries) {
      const [number, ...cells] = row;
      const storedNumber = number === place ? null : number;
      insertEntry.run(
        place,
        ...cells,
        chain === localChain ? storedNumber : number,
        chain === localChain ? null : chain,
      );
    }
  }

  /** Returns entries after `after`, oldest first. */
  entries(after: number, limit: number): readonly AuditEntry[] {
    return this.statements.sealed.all(after, limit).map((row) => this.entryOf(row));
  }

  /** Returns the number of the latest entry, or 0 in an empty log. */
  newest(): number {
    return this.statements.newest.get()?.seq ?? 0;
  }

  /** Returns the chain head, or undefined in an empty log. */
  head(): ChainHead | undefined {
    const { seq, seal } = this.statements.newest.get() ?? {};
    if (seq === undefined || !seal) return undefined;
    return { seq, seal, version: this.statements.newestVersion.get() ?? 0 };
  }

  /** Returns the seal of an entry, or undefined if there is none. */
  sealAt(seq: number): Buffer | undefined {
    return this.statements.sealAt.get(seq) ?? undefined;
  }

  /** Returns true if there is a key and the latest entry was sealed without one. */
  awaitsKey(): boolean {
    const seal = this.statements.newest.get()?.seal;
    return this.key !== undefined && seal instanceof Buffer && !isKeyed(seal);
  }

  /** Returns the matching entries among the `span` entries before `before`, newest first. */
  matching(filter: AuditFilter, before: number, span: number, limit: number): readonly AuditEntry[] {
    const { text, values } = line(
      `SELECT ${sealedColumns} FROM audit WHERE`,
      buildSpanCondition(filter, before, span),
      `ORDER BY seq DESC ${limited(limit)}`,
    );
    return prepareRaw<SealedRow>(this.database, text)
      .all(...values)
      .map((row) => this.entryOf(row));
  }

  /** Returns the number of matching entries per action among the `span` entries before `before`. */
  counts(filter: AuditFilter, before: number, span: number): readonly (readonly [AuditAction, number])[] {
    const { text, values } = line(
      'SELECT action, count(*) FROM audit WHERE',
      buildSpanCondition(filter, before, span),
      'GROUP BY action',
    );
    return prepareRaw<[AuditAction, number]>(this.database, text).all(...values);
  }

  private entryOf(row: SealedRow): AuditEntry {
    const [, , , , target, , after, , , , , sum] = row;
    if (!sum || after === null) return entryIn(row);
    this.reasons ??= reasonsIn(this.database);
    return entryIn(row, this.reasons(target, after, sum));
  }

  /** @param seqShift - Difference between the sequence number of an entry and its number in the chain. */
  private write(rows: readonly SealedRow[], seqShift: number): void {
    this.inserts ??= prepareInserts(this.database);
    const cells = rows.map(([number, ...row]) => [number + seqShift, ...row, seqShift === 0 ? null : number]);
    if (rows.length === groupSize) this.inserts.group.run(cells.flat());
    else for (const row of cells) this.inserts.one.run(...row);
  }
}

/** Builds the condition for the matching entries among the `span` entries before `before`. */
function buildSpanCondition(filter: AuditFilter, before: number, span: number): Sql {
  return joinAnd([
    sql('seq < ? AND seq >= ?', before, before - span),
    ...conditionsOf(filter, sqliteDialect),
  ]);
}

function prepareInserts(database: SqliteDatabase) {
  const insert = `INSERT INTO audit (${insertedColumns}) VALUES`;
  return {
    one: database.prepare(`${insert} ${oneRow}`),
    group: database.prepare(`${insert} ${Array<string>(groupSize).fill(oneRow).join(', ')}`),
  };
}

/** Columns that a file of an older version of the program lacks. There they are read as NULL. */
const laterColumnNames = ['sha256', 'person', 'reason_sha256', 'chain', 'number'] as const;

/** Returns the later columns that the audit table of a file has. */
export function laterColumns(database: SqliteDatabase): ReadonlySet<(typeof laterColumnNames)[number]> {
  const has = preparePluck(database, "SELECT 1 FROM pragma_table_info('audit') WHERE name = ?");
  return new Set(laterColumnNames.filter((column) => has.get(column) !== undefined));
}

function prepare(database: SqliteDatabase) {
  const has = laterColumns(database);
  const [sum, person, reason, chain, number] = laterColumnNames.map((column) =>
    has.has(column) ? column : 'NULL',
  );
  const remainingColumns = columns.slice(columns.indexOf(','));
  const row = (seqColumn: string) => `${seqColumn}${remainingColumns}, ${sum}, ${person}, ${reason}, seal`;
  const numbered = `coalesce(${number}, seq)`;
  return {
    newest: database.prepare<unknown[], SealRow>('SELECT seq, seal FROM audit ORDER BY seq DESC LIMIT 1'),
    newestVersion: preparePluck<number>(database, 'SELECT coalesce(max(pk), 0) FROM version'),
    newestOwn: database.prepare<unknown[], LocalEnd>(
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
 * Reads the reason of a version from the version row, because the log stores only its checksum.
 *
 * @returns Undefined if the version was removed or replaced.
 */
function reasonsIn(database: SqliteDatabase) {
  const removedKey = (type: ResourceType) =>
    hasTable(database, 'removed')
      ? `(SELECT m.record FROM removed m WHERE m.type = '${type}' AND m.id = @id)`
      : 'NULL';
  const reason = perType((type) =>
    preparePluck<string | null>(
      database,
      `SELECT v.reason FROM version v WHERE v.version = @version
         AND v.record = coalesce((SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = @id), ${removedKey(type)})`,
    ),
  );
  return (address: string, version: number, sum: Buffer): string | undefined => {
    const { type = '', id = '' } = parseAddress(address) ?? {};
    const reasonText = isResourceType(type) ? reason[type].get({ id, version }) : undefined;
    return typeof reasonText === 'string' && checksumOf(reasonText).equals(sum) ? reasonText : undefined;
  };
}
