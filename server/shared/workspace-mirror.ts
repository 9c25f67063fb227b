/**
 * Replicates the workspace of servers that share a store. Each server has a workspace file, and changes are copied to
 * all others. Called by the start of such a server. Invariants: an acknowledged change is in the shared store. A server
 * that can't read the store rejects requests, so that a revocation takes effect within {@link mostStale}. A row is
 * overwritten only if its known version is current. Otherwise the local change is reverted.
 */
import { StoreBusyError } from '../store/store-error.ts';
import { createMutex } from '../store/mutex.ts';
import type { RowChange, SharedRow, SharedRows } from './shared-rows.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Shared tables with their key columns. The activity of a server is not shared. */
export const sharedTables = {
  token: ['id'],
  access_token: ['sha256'],
  person: ['id'],
  last_person: ['session'],
  sign_in: ['id'],
  setting: ['name'],
  connection: ['seq'],
  recent_search: ['seq'],
  saved_search: ['id'],
  steward_check: ['id'],
  draft: ['id'],
  bulk_run: ['id'],
  bulk_target: ['run', 'place'],
  last_use: ['id'],
  damage: ['type', 'id', 'version'],
} as const;

/** Shared tables and the tables that the store itself maintains, which are only read. */
const tables = { ...sharedTables, erasure: ['type', 'id', 'source'] } as const;

/**
 * Tables in which every server writes equal rows about its own observations. They never conflict; the later row wins.
 */
const conflictFreeTables = new Set<Table>(['damage', 'last_use']);

type Table = keyof typeof tables;
const names = Object.keys(tables) as Table[];
const writtenNames = Object.keys(sharedTables) as Table[];

/** Interval of reads in milliseconds, in addition to notifications of other servers. */
const readIntervalMs = 2000;

/** Age in milliseconds after which local data counts as outdated. */
export const mostStale = 5000;

type Row = Readonly<Record<string, string | number | null>>;

interface PendingRow {
  readonly name: Table;
  readonly key: string;
  /** Stamp of the known row. Undefined if the row was created here. */
  knownStamp: number | undefined;
}

export class Mirror {
  private readonly database: SqliteDatabase;
  private readonly shared: SharedRows;
  private notifyOwner: (rows: readonly SharedRow[]) => void = () => undefined;
  /** Local changes that are not shared yet, with the row version before the change. */
  private readonly pendingRows = new Map<string, PendingRow>();
  /** Stamps of rows written by this server since the last read. */
  private readonly writtenStamps = new Map<string, number>();
  /** Stamp of the latest applied row. Undefined if a full read is needed. */
  private stamp: number | undefined;
  private lookedAt = -Infinity;
  private applying = false;
  private readonly inTurn = createMutex();
  private looking: Promise<void> | undefined;
  private sharing: Promise<void> | undefined;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(database: SqliteDatabase, shared: SharedRows) {
    this.database = database;
    this.shared = shared;
    database.function('mirror_note', (name: string, key: string, newRow: number) =>
      this.note(name as Table, key, newRow === 1),
    );
    // Needed so that triggers also run for a row that another row replaces.
    database.pragma('recursive_triggers = ON');
    database.exec(writtenNames.map(triggersOf).join('\n'));
  }

  /** Reads all shared rows and starts the regular reads. */
  async begin(): Promise<void> {
    await this.inTurn(() => this.read());
    this.shared.onChange(() => void this.look().catch(() => undefined));
    this.timer = setInterval(() => void this.look().catch(() => undefined), readIntervalMs).unref();
  }

  /** Sets the callback for applied rows of other servers. It receives the changed rows. */
  onTaken(listener: (rows: readonly SharedRow[]) => void): void {
    this.notifyOwner = listener;
  }

  /** Returns the age of the local data in milliseconds. */
  age(): number {
    return performance.now() - this.lookedAt;
  }

  /** @throws StoreBusyError if the local data is outdated. */
  refuseStale(): void {
    if (this.age() <= mostStale) return;
    throw new StoreBusyError('Couldn’t read the shared workspace.', '', undefined);
  }

  /** Applies the changes of other servers. */
  look(): Promise<void> {
    this.looking ??= this.inTurn(() => {
      this.looking = undefined;
      return this.read();
    });
    return this.looking;
  }

  /** Shares the local changes. Returns undefined if there are none and no sharing is in progress. */
  settle(): Promise<void> | undefined {
    if (this.pendingRows.size > 0) {
      const sharing = this.inTurn(() => this.share());
      this.sharing = sharing;
      const onEnd = () => {
        if (this.sharing === sharing) this.sharing = undefined;
      };
      sharing.then(onEnd, () => {
        this.failures += 1;
        onEnd();
      });
    }
    return this.sharing;
  }

  /** Returns the number of local changes that could not be shared and were reverted. */
  takenBack(): number {
    return this.failures;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.settle()?.catch(() => undefined);
    await this.inTurn(() => undefined);
  }

  private note(name: Table, key: string, isNewRow: boolean): null {
    if (this.applying) return null;
    if (this.pendingRows.size === 0) setImmediate(() => void this.settle()?.catch(() => undefined));
    const rowId = `${name} ${key}`;
    // The first known version of a changed row stays.
    if (!this.pendingRows.has(rowId))
      this.pendingRows.set(rowId, {
        name,
        key,
        knownStamp: isNewRow ? undefined : this.getKnownStamp(name, rowId),
      });
    return null;
  }

  private getKnownStamp(name: Table, rowId: string): number {
    if (conflictFreeTables.has(name)) return Number.MAX_SAFE_INTEGER;
    // Before a full read, a local row may be unknown to all servers.
    if (this.stamp === undefined) return 0;
    return Math.max(this.stamp, this.writtenStamps.get(rowId) ?? 0);
  }

  private async share(): Promise<void> {
    const rows = [...this.pendingRows.values()]
      .map(({ name, key, knownStamp }): RowChange => ({
        name,
        key,
        knownStamp,
        body: this.bodyOf(name, key),
      }))
      .filter(({ knownStamp, body }) => knownStamp !== undefined || body !== null);
    this.pendingRows.clear();
    if (rows.length === 0) return;
    const result = await this.shared.write(rows).catch((error: unknown) => {
      this.takeBack(rows);
      throw error;
    });
    if (result === 'taken') {
      this.takeBack(rows);
      await this.read();
      throw new StoreBusyError('Another server changed the same data.', '', undefined);
    }
    for (const { name, key, stamp } of result) {
      const rowId = `${name} ${key}`;
      this.writtenStamps.set(rowId, stamp);
      // A row that was changed again is based on the shared version.
      const pendingRow = this.pendingRows.get(rowId);
      if (pendingRow && !conflictFreeTables.has(pendingRow.name)) pendingRow.knownStamp = stamp;
    }
  }

  /** Reverts rows that were not acknowledged. A full read follows. */
  private takeBack(rows: readonly SharedRow[]): void {
    this.stamp = undefined;
    // Later changes of a reverted row are reverted too.
    for (const { name, key } of rows) this.pendingRows.delete(`${name} ${key}`);
  }

  private async read(): Promise<void> {
    const from = performance.now();
    const isFullRead = this.stamp === undefined;
    const { rows, stamp } = await this.shared.since(this.stamp);
    this.apply(rows, isFullRead);
    this.stamp = stamp;
    for (const [rowId, writtenStamp] of this.writtenStamps)
      if (writtenStamp <= stamp) this.writtenStamps.delete(rowId);
    this.lookedAt = from;
  }

  private apply(rows: readonly SharedRow[], isFullRead: boolean): void {
    // Local changes that are not shared yet are applied later.
    const foreignRows = rows.filter(({ name, key }) => !this.pendingRows.has(`${name} ${key}`));
    const changedRows = isFullRead
      ? foreignRows
      : foreignRows.filter(({ name, key, body }) => isTable(name) && this.bodyOf(name, key) !== body);
    if (changedRows.length === 0 && !isFullRead) return;
    const localRows = [...this.pendingRows.values()].map(({ name, key }) => ({
      name,
      key,
      body: this.bodyOf(name, key),
    }));
    this.applying = true;
    try {
      this.database
        .transaction(() => {
          this.database.pragma('defer_foreign_keys = ON');
          if (isFullRead) for (const name of names.toReversed()) this.database.exec(`DELETE FROM ${name}`);
          for (const row of [...changedRows, ...(isFullRead ? localRows : [])]) this.put(row);
        })
        .immediate();
    } finally {
      this.applying = false;
    }
    this.notifyOwner(changedRows);
  }

  private put({ name, key, body }: SharedRow): void {
    if (!isTable(name)) return;
    if (body === null) {
      this.database.prepare(`DELETE FROM ${name} WHERE ${whereOf(name)}`).run(...keyOf(key));
      return;
    }
    upsertRow(this.database, name, tables[name], body);
  }

  private bodyOf(name: Table, key: string): string | null {
    const row = this.database
      .prepare<unknown[], Row>(`SELECT * FROM ${name} WHERE ${whereOf(name)}`)
      .get(...keyOf(key));
    return row ? JSON.stringify(row) : null;
  }
}

/** Writes a shared row into a table. `body` is its JSON. Rows that refer to an existing row stay. */
export function upsertRow(
  database: SqliteDatabase,
  name: string,
  key: readonly string[],
  body: string,
): void {
  const row = JSON.parse(body) as Row;
  const columns = Object.keys(row);
  const marks = columns.map(() => '?').join(', ');
  const quoted = columns.map((column) => `"${column.replaceAll('"', '""')}"`);
  const changes = columns.map((_, index) => `${quoted[index]} = excluded.${quoted[index]}`).join(', ');
  database
    .prepare(
      `INSERT OR REPLACE INTO ${name} (${quoted.join(', ')}) VALUES (${marks})
       ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes}`,
    )
    .run(...Object.values(row));
}

function isTable(name: string): name is Table {
  return Object.hasOwn(tables, name);
}

function whereOf(name: Table): string {
  return tables[name].map((column) => `${column} = ?`).join(' AND ');
}

function keyOf(key: string): readonly (string | number)[] {
  return JSON.parse(key) as (string | number)[];
}

function triggersOf(name: Table): string {
  const key = (row: string) => `json_array(${tables[name].map((column) => `${row}.${column}`).join(', ')})`;
  const triggerSql = (event: string, row: string, newFlag: number) =>
    `CREATE TEMP TRIGGER mirror_${name}_${event} AFTER ${event} ON main.${name}
       BEGIN SELECT mirror_note('${name}', ${key(row)}, ${newFlag}); END;`;
  const insertFlag = conflictFreeTables.has(name) ? 0 : 1;
  return [
    triggerSql('INSERT', 'new', insertFlag),
    triggerSql('UPDATE', 'new', 0),
    triggerSql('DELETE', 'old', 0),
  ].join('\n');
}
