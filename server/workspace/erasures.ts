import { formatRecordName, type Erasure, type RecordName } from '../../core/app/erasures.ts';
import { WorkbenchSession } from '../../core/app/session.ts';
import { isKeptOut } from '../../core/fhir/origin.ts';
import type { NamedResource } from '../../core/fhir/supporting-resource.ts';
import { parseAs } from '../../core/json/shape.ts';
import { applyMigrations, type Migrations } from '../sqlite/migrate.ts';
import { connect, readDatabaseFile, type SqliteDatabase } from '../sqlite/sqlite.ts';
import type { ErasedRecords, SourcedName } from '../store/store.ts';
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

/** An erasure of a resource of one source. An empty source is that of a record, or stands for all. */
export const erasureSourceMigration = `
  ALTER TABLE erasure RENAME TO former_erasure;
  CREATE TABLE erasure (
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    source TEXT NOT NULL,
    time INTEGER NOT NULL,
    who TEXT NOT NULL,
    person TEXT,
    reason TEXT NOT NULL,
    PRIMARY KEY (type, id, source)
  ) STRICT;
  INSERT INTO erasure (type, id, source, time, who, person, reason)
    SELECT type, id, '', time, who, person, reason FROM former_erasure;
  DROP TABLE former_erasure;
`;

/** A row of the table. Later migrations added `person` (people.ts) and `source`. */
interface ErasureRow {
  readonly type: string;
  readonly id: string;
  /** Absent in a file of an older format. */
  readonly source?: string;
  readonly time: number;
  readonly who: string;
  readonly person: string | null;
  readonly reason: string;
}

const isErasedSql = (columns: string) => `(${columns}) IN (SELECT type, id FROM erasure)`;

/**
 * SQL that removes the data of erased local records. A bulk run whose records are all erased is removed too. Otherwise
 * `bulk_run.erased` counts the removed targets.
 */
const removeErasedSql = `
  UPDATE bulk_run SET erased = erased
    + (SELECT count(*) FROM bulk_target t WHERE t.run = bulk_run.id AND ${isErasedSql('t.type, t.id')})
    WHERE server = '${localServer}';
  DELETE FROM draft WHERE server = '${localServer}' AND ${isErasedSql('type, record')};
  DELETE FROM bulk_run WHERE server = '${localServer}'
    AND EXISTS (SELECT 1 FROM bulk_target t WHERE t.run = bulk_run.id)
    AND NOT EXISTS (SELECT 1 FROM bulk_target t WHERE t.run = bulk_run.id AND NOT ${isErasedSql('t.type, t.id')});
  DELETE FROM bulk_target WHERE ${isErasedSql('type, id')}
    AND run IN (SELECT id FROM bulk_run WHERE server = '${localServer}');
`;

export type ErasureStore = ReturnType<typeof erasureStore>;

export function erasureStore(database: SqliteDatabase) {
  const selectErasure = database.prepare<unknown[], ErasureRow>(
    'SELECT * FROM erasure WHERE type = ? AND id = ? ORDER BY time DESC',
  );
  const insert = database.prepare(
    `INSERT INTO erasure (type, id, source, time, who, person, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  );
  const deleteErasure = database.prepare('DELETE FROM erasure WHERE type = ? AND id = ? AND source = ?');
  return {
    /** Returns the erasure of a resource. Without a source, any of this type and id. */
    find({ type, id, source }: SourcedName): Erasure | undefined {
      const rows = selectErasure.all(type, id);
      const row = rows.find((row) => source === undefined || row.source === '' || row.source === source);
      return row && erasureOf(row);
    },
    has: ({ type, id, source }: SourcedName) => includesErasureOf(source, selectErasure.all(type, id)),
    list: () => listErasures(database),
    add(erasure: Erasure): void {
      const { type, id, source = '', time, person = null, reason } = erasure;
      insert.run(type, id, source, Date.parse(time), erasure.who, person, reason);
    },
    /** Removes an erasure that failed. */
    remove({ type, id, source = '' }: SourcedName): void {
      deleteErasure.run(type, id, source);
    },
    /** Removes the data of erased records from the workspace file and its WAL. */
    removeErasedData(): void {
      database.transaction(() => removeErased(database)).immediate();
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
  };
}

function removeErased(database: SqliteDatabase): void {
  database.exec(removeErasedSql);
  const session = sessionIn(database);
  if (!session) return;
  const erasedNames = new Set(listErasures(database).map(formatRecordName));
  const remainingSession = toStoredSession(session, (record) => erasedNames.has(formatRecordName(record)));
  if (JSON.stringify(remainingSession) === JSON.stringify(session)) return;
  database
    .prepare('UPDATE setting SET value = ? WHERE name = ?')
    .run(JSON.stringify(remainingSession), sessionName(localServer));
}

/** Creates a function that returns true if an open workspace, of any schema version, contains data of a record. */
export function createRecordDetector(database: SqliteDatabase): (record: NamedResource) => boolean {
  const existenceChecks = [
    'draft WHERE type = ? AND record = ?',
    'bulk_target WHERE type = ? AND id = ?',
  ].map((fromClause) => database.prepare(`SELECT 1 FROM ${fromClause}`));
  const session = sessionIn(database);
  const sessionNames = [...(session?.recent ?? []), ...(session?.tabs ?? []).flatMap(listResourcesOfTab)].map(
    formatRecordName,
  );
  return (record) =>
    existenceChecks.some((statement) => statement.get(record.type, record.id) !== undefined) ||
    sessionNames.includes(formatRecordName(record));
}

/**
 * Lists the resources whose data a tab contains. Patient tabs of older versions store the patient's name, but not whether
 * the patient is a Patient or a Group.
 */
function listResourcesOfTab(tab: WorkbenchSession['tabs'][number]): readonly NamedResource[] {
  if (tab.kind === 'record') return [tab.record];
  if (tab.kind !== 'patient' || tab.patient.name === '') return [];
  return ['Patient', 'Group'].map((type) => ({ type, id: tab.patient.id }));
}

/** Returns true if an erasure keeps out a resource of a source. Without a source, any does. */
function includesErasureOf(
  source: string | undefined,
  erasures: readonly Pick<ErasureRow, 'source'>[],
): boolean {
  return erasures.some((erasure) => source === undefined || isKeptOut(erasure.source ?? '', source));
}

/** Reads the erasures of a workspace that no server has open. Empty if the file is missing. */
export function readErasures(path: string): ErasedRecords {
  const list = readDatabaseFile(path, listErasures) ?? [];
  const erasuresByName = Map.groupBy(list, formatRecordName);
  return {
    list: () => list,
    has: (record) => includesErasureOf(record.source, erasuresByName.get(formatRecordName(record)) ?? []),
  };
}

/** Copies the erasures into a workspace copy that is about to be restored. The copy may be older. */
export function copyErasures(
  erasures: ErasedRecords,
  workspaceCopyPath: string,
  migrations: Migrations,
): void {
  const database = connect(workspaceCopyPath);
  try {
    applyMigrations(database, migrations);
    database.pragma('secure_delete = ON');
    const store = erasureStore(database);
    for (const erasure of erasures.list()) store.add(erasure);
    store.removeErasedData();
  } finally {
    database.close();
  }
}

function sessionIn(database: SqliteDatabase): WorkbenchSession | undefined {
  const text = database.prepare<unknown[], string>('SELECT value FROM setting WHERE name = ?').pluck();
  return parseAs(WorkbenchSession, text.get(sessionName(localServer)) ?? '');
}

/**
 * Returns the session without the excluded records and without names of patients. A stored name could outlast the erased
 * record or Patient that it came from. The page requests names by id.
 */
export function toStoredSession(
  { tabs, active, recent, ...session }: WorkbenchSession,
  isExcluded: (record: RecordName) => boolean,
): WorkbenchSession {
  const isRetained = tabs.map((tab) => tab.kind !== 'record' || !isExcluded(tab.record));
  const retainedBeforeActive = isRetained.slice(0, Math.max(active, 0)).filter(Boolean).length;
  return {
    ...session,
    tabs: tabs.filter((_, index) => isRetained[index]).map(withoutName),
    active: isRetained[active] === true ? retainedBeforeActive : -1,
    recent: recent.filter((record) => !isExcluded(record)),
  };
}

function withoutName(tab: WorkbenchSession['tabs'][number]): WorkbenchSession['tabs'][number] {
  return tab.kind === 'patient' ? { ...tab, patient: { ...tab.patient, name: '' } } : tab;
}

/** Lists the erasures of an open workspace, newest first. A workspace with an older schema has none. */
function listErasures(database: SqliteDatabase): Erasure[] {
  if (database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'erasure'`).get() === undefined) return [];
  return database
    .prepare<unknown[], ErasureRow>('SELECT * FROM erasure ORDER BY time DESC, type, id')
    .all()
    .map(erasureOf);
}

function erasureOf(row: ErasureRow): Erasure {
  const { type, id, source = '', time, person, reason } = row;
  return {
    type,
    id,
    ...(source !== '' && { source }),
    time: new Date(time).toISOString(),
    who: row.who,
    ...(person !== null && { person }),
    reason,
  };
}
