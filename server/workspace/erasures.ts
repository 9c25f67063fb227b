import { nameOfRecord, type Erasure, type RecordName } from '../../core/app/erasures.ts';
import { WorkbenchSession } from '../../core/app/session.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { parseAs } from '../../core/json/shape.ts';
import { applyMigrations, type Migrations } from '../store/sqlite/migrate.ts';
import { connect, readDatabaseFile, type SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { ErasedRecords } from '../store/store.ts';
import { localServer, sessionName } from './server-key.ts';

/** Table of erased records and supporting resources. An older backup or an import must not restore them. */
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

/** SQL that removes the data of erased local records. Bulk runs without other records are removed too. */
const removeErasedSql = `
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
  const findErasure = database.prepare<unknown[], ErasureRow>(
    'SELECT * FROM erasure WHERE type = ? AND id = ?',
  );
  const insert = database.prepare(
    'INSERT INTO erasure (type, id, time, who, person, reason) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const deleteErasure = database.prepare('DELETE FROM erasure WHERE type = ? AND id = ?');
  const find = ({ type, id }: NamedResource) => {
    const row = findErasure.get(type, id);
    return row && erasureOf(row);
  };
  return {
    find,
    has: (record: NamedResource) => find(record) !== undefined,
    list: () => erasuresOf(database),
    add({ type, id, time, who: actor, person, reason }: Erasure): void {
      insert.run(type, id, Date.parse(time), actor, person ?? null, reason);
    },
    /** Removes an erasure that failed. */
    remove({ type, id }: NamedResource): void {
      deleteErasure.run(type, id);
    },
    /** Removes the data of erased records from the workspace file and its WAL. */
    clean(): void {
      database.transaction(() => removeErased(database)).immediate();
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

function removeErased(database: SqliteDatabase): void {
  database.exec(removeErasedSql);
  const session = sessionIn(database);
  if (!session) return;
  const erasedNames = new Set(erasuresOf(database).map(nameOfRecord));
  const remainingSession = withoutRecords(session, (record) => erasedNames.has(nameOfRecord(record)));
  if (JSON.stringify(remainingSession) === JSON.stringify(session)) return;
  database
    .prepare('UPDATE setting SET value = ? WHERE name = ?')
    .run(JSON.stringify(remainingSession), sessionName(localServer));
}

/** Creates a function that returns true if an open workspace of any schema has data of a record. */
export function holdsRecord(database: SqliteDatabase): (record: NamedResource) => boolean {
  const find = ['draft WHERE type = ? AND record = ?', 'bulk_target WHERE type = ? AND id = ?'].map((rows) =>
    database.prepare(`SELECT 1 FROM ${rows}`),
  );
  const session = sessionIn(database);
  const namedResources = [
    ...(session?.recent ?? []),
    ...(session?.tabs ?? []).flatMap(listNamedResources),
  ].map(nameOfRecord);
  return (record) =>
    find.some((statement) => statement.get(record.type, record.id) !== undefined) ||
    namedResources.includes(nameOfRecord(record));
}

/** Lists the resources that a tab contains data of. Older tabs have the name of a patient but not the type. */
function listNamedResources(tab: WorkbenchSession['tabs'][number]): readonly NamedResource[] {
  if (tab.kind === 'record') return [tab.record];
  if (tab.kind !== 'patient' || tab.patient.name === '') return [];
  return ['Patient', 'Group'].map((type) => ({ type, id: tab.patient.id }));
}

/** Reads the erasures of a workspace that no server has open. Empty if the file is missing. */
export function readErasures(path: string): ErasedRecords {
  const list = readDatabaseFile(path, erasuresOf) ?? [];
  const names = new Set(list.map(nameOfRecord));
  return { list: () => list, has: (record) => names.has(nameOfRecord(record)) };
}

/** Copies the erasures into a copy of a workspace that is about to be restored and may be older. */
export function carryErasures(erasures: ErasedRecords, draft: string, migrations: Migrations): void {
  const database = connect(draft);
  try {
    applyMigrations(database, migrations);
    database.pragma('secure_delete = ON');
    const store = erasureStore(database);
    for (const erasure of erasures.list()) store.add(erasure);
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
 * Returns the session in the form in which it is stored: without excluded records and without names of patients. A name
 * comes from a record or a Patient and must not outlast both. The page requests it by id.
 */
export function withoutRecords(
  { tabs, active, recent, ...session }: WorkbenchSession,
  isLeftOut: (record: RecordName) => boolean,
): WorkbenchSession {
  const isRetained = tabs.map((tab) => tab.kind !== 'record' || !isLeftOut(tab.record));
  const retainedBeforeActive = isRetained.slice(0, Math.max(active, 0)).filter(Boolean).length;
  return {
    ...session,
    tabs: tabs.filter((_, index) => isRetained[index]).map(withoutName),
    active: isRetained[active] === true ? retainedBeforeActive : -1,
    recent: recent.filter((record) => !isLeftOut(record)),
  };
}

function withoutName(tab: WorkbenchSession['tabs'][number]): WorkbenchSession['tabs'][number] {
  return tab.kind === 'patient' ? { ...tab, patient: { ...tab.patient, name: '' } } : tab;
}

/** Lists the erasures of an open workspace, newest first. Empty in an older schema. */
function erasuresOf(database: SqliteDatabase): Erasure[] {
  if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'erasure'`).get() === undefined) return [];
  return database
    .prepare<unknown[], ErasureRow>('SELECT * FROM erasure ORDER BY time DESC, type, id')
    .all()
    .map(erasureOf);
}

function erasureOf({ type, id, time, who: actor, person, reason }: ErasureRow): Erasure {
  return {
    type,
    id,
    time: new Date(time).toISOString(),
    who: actor,
    ...(person !== null && { person }),
    reason,
  };
}
