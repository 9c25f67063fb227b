/**
 * The workspace of servers that share a store: each has its own file, as a server alone has, and what is written into it goes
 * to all of them. Called by the start of such a server. Invariant: what was answered is in the shared store; who cannot look
 * there answers nobody, so that what was revoked elsewhere is refused here within {@link mostStale}. A row is written over
 * only as it was known here when it was changed: what another server wrote meanwhile stands, and the change is taken back.
 */
import { StoreBusyError } from '../store/store-error.ts';
import { turns } from '../store/turns.ts';
import type { RowChange, SharedRow, SharedRows } from '../store/shared-rows.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** The tables that are shared, each with the columns of its key. What a server did stays its own. */
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

/** The same with those that the store itself keeps, which are taken over alone. */
const tables = { ...sharedTables, erasure: ['type', 'id'] } as const;

/** Of these every server writes the same row, of what it met itself: none is in the way of another's, the later stands. */
const freely = new Set<Table>(['damage', 'last_use']);

type Table = keyof typeof tables;
const names = Object.keys(tables) as Table[];
const writtenNames = Object.keys(sharedTables) as Table[];

/** Milliseconds between two looks, beside those that another server asks for. */
const pace = 1000;

/** Milliseconds after which what is known here may be wrong. */
export const mostStale = 5000;

type Row = Readonly<Record<string, string | number | null>>;

interface WaitingRow {
  readonly name: Table;
  readonly key: string;
  /** Up to which stamp the row was known; undefined where it is begun here. */
  known: number | undefined;
}

export class Mirror {
  private readonly database: SqliteDatabase;
  private readonly shared: SharedRows;
  private taken: (rows: readonly SharedRow[]) => void = () => undefined;
  /** Rows that were written here and are not shared yet, each as it was known before. */
  private readonly waiting = new Map<string, WaitingRow>();
  /** Stamps of rows that were written from here since the last look. */
  private readonly given = new Map<string, number>();
  /** Of the newest row that was taken over; undefined where everything has to be read. */
  private stamp: number | undefined;
  private lookedAt = -Infinity;
  private applying = false;
  private readonly inTurn = turns();
  private looking: Promise<void> | undefined;
  private sharing: Promise<void> | undefined;
  private failures = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(database: SqliteDatabase, shared: SharedRows) {
    this.database = database;
    this.shared = shared;
    database.function('mirror_note', (name: string, key: string, begun: number) =>
      this.note(name as Table, key, begun === 1),
    );
    // A row that another takes the place of is told of, too.
    database.pragma('recursive_triggers = ON');
    database.exec(writtenNames.map(triggersOf).join('\n'));
  }

  /** Takes over everything, and goes on looking. */
  async begin(): Promise<void> {
    await this.inTurn(() => this.read());
    this.shared.onChange(() => void this.look().catch(() => undefined));
    this.timer = setInterval(() => void this.look().catch(() => undefined), pace).unref();
  }

  /** Calls back once rows of others were taken over, with those that changed. */
  onTaken(told: (rows: readonly SharedRow[]) => void): void {
    this.taken = told;
  }

  /** Milliseconds since which what others wrote may not be known here. */
  age(): number {
    return performance.now() - this.lookedAt;
  }

  /** @throws StoreBusyError where what is known here may be wrong. */
  refuseStale(): void {
    if (this.age() <= mostStale) return;
    throw new StoreBusyError('The shared workspace cannot be read.', '', undefined);
  }

  /** Takes over what others wrote until now. */
  look(): Promise<void> {
    this.looking ??= this.inTurn(() => {
      this.looking = undefined;
      return this.read();
    });
    return this.looking;
  }

  /** Shares what was written here; undefined where there is nothing, and nothing under way. */
  settle(): Promise<void> | undefined {
    if (this.waiting.size > 0) {
      const sharing = this.inTurn(() => this.share());
      this.sharing = sharing;
      const ended = () => {
        if (this.sharing === sharing) this.sharing = undefined;
      };
      sharing.then(ended, () => {
        this.failures += 1;
        ended();
      });
    }
    return this.sharing;
  }

  /** How often something that was written here could not be shared, and was taken back. */
  takenBack(): number {
    return this.failures;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.settle()?.catch(() => undefined);
    await this.inTurn(() => undefined);
  }

  private note(name: Table, key: string, begun: boolean): null {
    if (this.applying) return null;
    if (this.waiting.size === 0) setImmediate(() => void this.settle()?.catch(() => undefined));
    const place = `${name} ${key}`;
    // What is changed again is still changed from where it was known first.
    if (!this.waiting.has(place))
      this.waiting.set(place, { name, key, known: begun ? undefined : this.knownOf(name, place) });
    return null;
  }

  /** Up to which stamp a row is known here. */
  private knownOf(name: Table, place: string): number {
    if (freely.has(name)) return Number.MAX_SAFE_INTEGER;
    // Before everything is read anew, what stands here may be nobody's.
    if (this.stamp === undefined) return 0;
    return Math.max(this.stamp, this.given.get(place) ?? 0);
  }

  private async share(): Promise<void> {
    const rows = [...this.waiting.values()]
      .map(({ name, key, known }): RowChange => ({ name, key, known, body: this.bodyOf(name, key) }))
      .filter(({ known, body }) => known !== undefined || body !== null);
    this.waiting.clear();
    if (rows.length === 0) return;
    const written = await this.shared.write(rows).catch((error: unknown) => {
      this.takeBack(rows);
      throw error;
    });
    if (written === 'taken') {
      this.takeBack(rows);
      await this.read();
      throw new StoreBusyError('Another server wrote the same.', '', undefined);
    }
    for (const { name, key, stamp } of written) {
      const place = `${name} ${key}`;
      this.given.set(place, stamp);
      // What was changed again meanwhile was changed from here on.
      const again = this.waiting.get(place);
      if (again && !freely.has(again.name)) again.known = stamp;
    }
  }

  /** Has what the others have stand, in the place of rows that nobody was told are stored. */
  private takeBack(rows: readonly SharedRow[]): void {
    this.stamp = undefined;
    // A change behind one that is taken back goes with it.
    for (const { name, key } of rows) this.waiting.delete(`${name} ${key}`);
  }

  private async read(): Promise<void> {
    const from = performance.now();
    const anew = this.stamp === undefined;
    const { rows, stamp } = await this.shared.since(this.stamp);
    this.apply(rows, anew);
    this.stamp = stamp;
    for (const [place, own] of this.given) if (own <= stamp) this.given.delete(place);
    this.lookedAt = from;
  }

  private apply(rows: readonly SharedRow[], anew: boolean): void {
    // What is written here and not shared yet comes later.
    const others = rows.filter(({ name, key }) => !this.waiting.has(`${name} ${key}`));
    const changed = anew
      ? others
      : others.filter(({ name, key, body }) => isTable(name) && this.bodyOf(name, key) !== body);
    if (changed.length === 0 && !anew) return;
    const own = [...this.waiting.values()].map(({ name, key }) => ({
      name,
      key,
      body: this.bodyOf(name, key),
    }));
    this.applying = true;
    try {
      this.database
        .transaction(() => {
          this.database.pragma('defer_foreign_keys = ON');
          if (anew) for (const name of names.toReversed()) this.database.exec(`DELETE FROM ${name}`);
          for (const row of [...changed, ...(anew ? own : [])]) this.put(row);
        })
        .immediate();
    } finally {
      this.applying = false;
    }
    this.taken(changed);
  }

  private put({ name, key, body }: SharedRow): void {
    if (!isTable(name)) return;
    if (body === null) {
      this.database.prepare(`DELETE FROM ${name} WHERE ${whereOf(name)}`).run(...keyOf(key));
      return;
    }
    putRow(this.database, name, tables[name], body);
  }

  private bodyOf(name: Table, key: string): string | null {
    const row = this.database
      .prepare<unknown[], Row>(`SELECT * FROM ${name} WHERE ${whereOf(name)}`)
      .get(...keyOf(key));
    return row ? JSON.stringify(row) : null;
  }
}

/** Writes a row of a table with such a key as it is shared; `body` is its JSON. What hangs on one that is there stays. */
export function putRow(database: SqliteDatabase, name: string, key: readonly string[], body: string): void {
  const row = JSON.parse(body) as Row;
  const columns = Object.keys(row);
  const marks = columns.map(() => '?').join(', ');
  const quoted = columns.map((column) => `"${column.replaceAll('"', '""')}"`);
  const changes = columns.map((_, at) => `${quoted[at]} = excluded.${quoted[at]}`).join(', ');
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
  const trigger = (event: string, row: string, begun: number) =>
    `CREATE TEMP TRIGGER mirror_${name}_${event} AFTER ${event} ON main.${name}
       BEGIN SELECT mirror_note('${name}', ${key(row)}, ${begun}); END;`;
  const begun = freely.has(name) ? 0 : 1;
  return [trigger('INSERT', 'new', begun), trigger('UPDATE', 'new', 0), trigger('DELETE', 'old', 0)].join(
    '\n',
  );
}
