import { nameOfRecord, type Erasure, type RecordName } from '../../core/app/erasures.ts';
import { WorkbenchSession } from '../../core/app/session.ts';
import type { NamedResource } from '../../core/fhir/companion.ts';
import { parseAs } from '../../core/json/shape.ts';
import { applyMigrations, type Migrations } from '../store/sqlite/migrate.ts';
import { connect, readIn, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { Erased } from '../store/store.ts';
import { localServer, sessionName } from './server-key.ts';

/** The records and companions that were erased; a backup of the records from before, or an import, is not to bring them back. */
export const erasureMigration = `
  CREATE TABLE erasure (
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    time INTEGER NOT NULL,
    who TEXT NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (type, id)
  ) STRICT;
`;

interface ErasureRow {
  readonly type: string;
  readonly id: string;
  readonly time: number;
  readonly who: string;
  readonly person: string | null;
  readonly reason: string;
}

const isErased = (columns: string) => `(${columns}) IN (SELECT type, id FROM erasure)`;

/** Removes what holds something of the erased records of this server's own: a run too that was about nothing else. */
const removal = `
  UPDATE bulk_run SET erased = erased
    + (SELECT count(*) FROM bulk_target t WHERE t.run = bulk_run.id AND ${isErased('t.type, t.id')})
    WHERE server = '${localServer}';
  DELETE FROM draft WHERE server = '${localServer}' AND ${isErased('type, record')};
  DELETE FROM bulk_run WHERE server = '${localServer}'
    AND EXISTS (SELECT 1 FROM bulk_target t WHERE t.run = bulk_run.id)
    AND NOT EXISTS (SELECT 1 FROM bulk_target t WHERE t.run = bulk_run.id AND NOT ${isErased('t.type, t.id')});
  DELETE FROM bulk_target WHERE ${isErased('type, id')}
    AND run IN (SELECT id FROM bulk_run WHERE server = '${localServer}');
`;

export type ErasureStore = ReturnType<typeof erasureStore>;

export function erasureStore(database: SqliteDatabase) {
  const one = database.prepare<unknown[], ErasureRow>('SELECT * FROM erasure WHERE type = ? AND id = ?');
  const insert = database.prepare(
    'INSERT INTO erasure (type, id, time, who, person, reason) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const forget = database.prepare('DELETE FROM erasure WHERE type = ? AND id = ?');
  const find = ({ type, id }: NamedResource) => {
    const row = one.get(type, id);
    return row && erasureOf(row);
  };
  return {
    find,
    has: (record: NamedResource) => find(record) !== undefined,
    list: () => erasuresOf(database),
    add({ type, id, time, who, person, reason }: Erasure): void {
      insert.run(type, id, Date.parse(time), who, person ?? null, reason);
    },
    /** Takes an erasure back that came to nothing. */
    remove({ type, id }: NamedResource): void {
      forget.run(type, id);
    },
    /** Removes what the workspace keeps of erased records, from its file and log too. */
    clean(): void {
      database.transaction(() => clean(database)).immediate();
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

function clean(database: SqliteDatabase): void {
  database.exec(removal);
  const session = sessionIn(database);
  if (!session) return;
  const erased = new Set(erasuresOf(database).map(nameOfRecord));
  const rest = withoutRecords(session, (record) => erased.has(nameOfRecord(record)));
  if (JSON.stringify(rest) === JSON.stringify(session)) return;
  database
    .prepare('UPDATE setting SET value = ? WHERE name = ?')
    .run(JSON.stringify(rest), sessionName(localServer));
}

/** Answers which records an open workspace, of whatever schema, holds something of. */
export function holdsRecord(database: SqliteDatabase): (record: NamedResource) => boolean {
  const find = ['draft WHERE type = ? AND record = ?', 'bulk_target WHERE type = ? AND id = ?'].map((rows) =>
    database.prepare(`SELECT 1 FROM ${rows}`),
  );
  const session = sessionIn(database);
  const named = [...(session?.recent ?? []), ...(session?.tabs ?? []).flatMap(namedIn)].map(nameOfRecord);
  return (record) =>
    find.some((statement) => statement.get(record.type, record.id) !== undefined) ||
    named.includes(nameOfRecord(record));
}

/** Returns what a tab holds something of; a patient's name was kept before, and ids alone do not say of which type. */
function namedIn(tab: WorkbenchSession['tabs'][number]): readonly NamedResource[] {
  if (tab.kind === 'record') return [tab.record];
  if (tab.kind !== 'patient' || tab.patient.name === '') return [];
  return ['Patient', 'Group'].map((type) => ({ type, id: tab.patient.id }));
}

/** The erasures in the workspace at `path`, which nobody holds; none where there is no such file. */
export function erasedIn(path: string): Erased {
  const list = readIn(path, erasuresOf) ?? [];
  const names = new Set(list.map(nameOfRecord));
  return { list: () => list, has: (record) => names.has(nameOfRecord(record)) };
}

/** Brings the erasures into a copy of a workspace that is to be put in place: it may be older than they are. */
export function carryErasures(erased: Erased, draft: string, migrations: Migrations): void {
  const database = connect(draft);
  try {
    applyMigrations(database, migrations);
    database.pragma('secure_delete = ON');
    const store = erasureStore(database);
    for (const erasure of erased.list()) store.add(erasure);
    store.clean();
  } finally {
    database.close();
  }
}

function sessionIn(database: SqliteDatabase): WorkbenchSession | undefined {
  const text = database.prepare<unknown[], string>('SELECT value FROM setting WHERE name = ?').pluck();
  return parseAs(WorkbenchSession, text.get(sessionName(localServer)) ?? '');
}

/**
 * Returns what was open at last as it is kept: without some records, and without the names of patients. A name comes from
 * a record or from the Patient, and would outlast both; the page asks for it by the id.
 */
export function withoutRecords(
  { tabs, active, recent, ...session }: WorkbenchSession,
  isLeftOut: (record: RecordName) => boolean,
): WorkbenchSession {
  const stays = tabs.map((tab) => tab.kind !== 'record' || !isLeftOut(tab.record));
  const before = stays.slice(0, Math.max(active, 0)).filter(Boolean).length;
  return {
    ...session,
    tabs: tabs.filter((_, index) => stays[index]).map(withoutName),
    active: stays[active] === true ? before : -1,
    recent: recent.filter((record) => !isLeftOut(record)),
  };
}

function withoutName(tab: WorkbenchSession['tabs'][number]): WorkbenchSession['tabs'][number] {
  return tab.kind === 'patient' ? { ...tab, patient: { ...tab.patient, name: '' } } : tab;
}

/** The erasures of an open workspace, newest first; none in a schema of before. */
function erasuresOf(database: SqliteDatabase): Erasure[] {
  if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'erasure'`).get() === undefined) return [];
  return database
    .prepare<unknown[], ErasureRow>('SELECT * FROM erasure ORDER BY time DESC, type, id')
    .all()
    .map(erasureOf);
}

function erasureOf({ type, id, time, who, person, reason }: ErasureRow): Erasure {
  return { type, id, time: new Date(time).toISOString(), who, ...(person !== null && { person }), reason };
}
