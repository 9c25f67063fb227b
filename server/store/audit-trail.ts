import {
  changingActions,
  type AuditAction,
  type AuditEntry,
  type AuditFilter,
} from '../../core/app/audit.ts';
import { groupSize, noSeal, sealOf, type ChainRow, type SealedRow } from './audit-chain.ts';
import { every, limited, line, some, sql, type Sql } from './sql.ts';
import type { SqliteDatabase } from './sqlite.ts';

/** An entry about to be written; its number and its seal are the trail's. */
export interface NewAuditEntry extends Omit<AuditEntry, 'seq' | 'time'> {
  /** Milliseconds since the epoch. */
  readonly time: number;
}

const columns = 'seq, time, who, action, what, version_before, version_after, status, request_id';
const width = columns.split(',').length + 1;
const oneRow = `(${Array<string>(width).fill('?').join(', ')})`;

interface Head {
  readonly seq: number;
  readonly seal: Buffer | null;
}

/** The audit trail's rows in records.db. Nothing of it is remembered here: a rollback takes the chain's head back too. */
export class AuditTrail {
  private readonly database: SqliteDatabase;
  private readonly statements: ReturnType<typeof prepare>;

  constructor(database: SqliteDatabase) {
    this.database = database;
    this.statements = prepare(database);
  }

  /** Adds entries behind the last; belongs into a transaction of the caller's. */
  add(entries: readonly NewAuditEntry[]): void {
    const head = this.statements.head.get();
    let { seq, seal } = { seq: head?.seq ?? 0, seal: head?.seal ?? noSeal };
    for (let from = 0; from < entries.length; from += groupSize) {
      const group = entries.slice(from, from + groupSize).map((entry) => rowOf((seq += 1), entry));
      seal = sealOf(seal, group);
      this.write(group, seal);
    }
  }

  /** Rows with their seals, those behind `after`, in their order. */
  sealed(after: number, limit: number): readonly SealedRow[] {
    return this.statements.sealed.all(after, limit);
  }

  /** Entries behind `after`, oldest first. */
  entries(after: number, limit: number): readonly AuditEntry[] {
    return this.statements.sealed.all(after, limit).map(entryOf);
  }

  /** Number of the newest entry; 0 where there is none. */
  newest(): number {
    return this.statements.head.get()?.seq ?? 0;
  }

  /** Those of the `span` entries before `before` that the filter lets through, newest first. */
  matching(filter: AuditFilter, before: number, span: number, limit: number): readonly AuditEntry[] {
    const place = sql('seq < ? AND seq >= ?', before, before - span);
    const { text, values } = line(
      `SELECT ${columns}, seal FROM audit WHERE`,
      every([place, ...conditionsOf(filter)]),
      `ORDER BY seq DESC ${limited(limit)}`,
    );
    return this.database
      .prepare<unknown[], SealedRow>(text)
      .raw()
      .all(...values)
      .map(entryOf);
  }

  /** How many of the `span` entries before `before` that the filter lets through each action has. */
  counts(filter: AuditFilter, before: number, span: number): readonly (readonly [AuditAction, number])[] {
    const place = sql('seq < ? AND seq >= ?', before, before - span);
    const { text, values } = line(
      'SELECT action, count(*) FROM audit WHERE',
      every([place, ...conditionsOf(filter)]),
      'GROUP BY action',
    );
    return this.database
      .prepare<unknown[], [AuditAction, number]>(text)
      .raw()
      .all(...values);
  }

  private write(group: readonly ChainRow[], seal: Buffer): void {
    const last = group.at(-1);
    const rows = group.map((row): SealedRow => [...row, row === last ? seal : null]);
    if (rows.length === groupSize) this.statements.addGroup.run(rows.flat());
    else for (const row of rows) this.statements.add.run(...row);
  }
}

function prepare(database: SqliteDatabase) {
  const insert = `INSERT INTO audit (${columns}, seal) VALUES`;
  return {
    head: database.prepare<unknown[], Head>('SELECT seq, seal FROM audit ORDER BY seq DESC LIMIT 1'),
    add: database.prepare(`${insert} ${oneRow}`),
    addGroup: database.prepare(`${insert} ${Array<string>(groupSize).fill(oneRow).join(', ')}`),
    sealed: database
      .prepare<unknown[], SealedRow>(`SELECT ${columns}, seal FROM audit WHERE seq > ? ORDER BY seq LIMIT ?`)
      .raw(),
  };
}

/** Longest text of a row: what was asked for may be as long as a body. */
const mostText = 4096;

function rowOf(seq: number, entry: NewAuditEntry): ChainRow {
  const { time, who, action, what, before, after, status, requestId } = entry;
  const row = [seq, time, textOf(who), action, textOf(what)] as const;
  return [...row, before ?? null, after ?? null, status, requestId];
}

/** What SQLite gives back is what was sealed: it keeps whole characters alone. */
function textOf(text: string): string {
  return (text.length > mostText ? `${text.slice(0, mostText)}…` : text).toWellFormed();
}

function entryOf([seq, time, who, action, what, before, after, status, requestId]: SealedRow): AuditEntry {
  return {
    ...{ seq, time: new Date(time).toISOString(), who, action: action as AuditAction, what },
    ...(before !== null && { before }),
    ...(after !== null && { after }),
    ...{ status, requestId },
  };
}

function conditionsOf({ text, action, changes, outcome, since }: AuditFilter): Sql[] {
  const part = text?.toLowerCase() ?? '';
  const holds = (column: string) => sql(`instr(lower(${column}), ?) > 0`, part);
  return [
    ...(part === '' ? [] : [some([holds('who'), holds('what'), holds('request_id')])]),
    ...(action === undefined ? [] : [sql('action = ?', action)]),
    ...(changes ? [some(changingActions.map((one) => sql('action = ?', one))), sql('status < 400')] : []),
    ...(outcome === undefined ? [] : [sql(outcome === 'done' ? 'status < 400' : 'status >= 400')]),
    ...(since === undefined ? [] : [sql('time >= ?', Date.parse(since))]),
  ];
}
