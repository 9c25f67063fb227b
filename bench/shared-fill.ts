/** Fills databases of PostgreSQL: many rows per statement, indexes afterwards. Used by fill.ts. */
import { dayNumber } from '../core/types/definition/dates.ts';
import { derivations } from '../core/derive/derivations.ts';
import { insertRows, buildInsertSql } from '../server/shared/move/plain-rows.ts';
import type { MovedVersion } from '../server/shared/move/moved-version.ts';
import { databaseVersions } from '../server/shared/move/versions.ts';
import { checksumOf } from '../server/store/checksum.ts';
import { readAddress } from '../server/shared/postgres/address.ts';
import { Postgres, type Session } from '../server/shared/postgres/connection.ts';
import { PostgresDerivationStatus } from '../server/shared/postgres/coverage.ts';
import { indexTables } from '../server/store/index-tables.ts';
import type { NewVersion } from '../server/store/store.ts';
import { columnsIn, type Value } from '../server/store/sql.ts';
import { serializeBareRecord, listReferencedIds, type BareRecord } from './bare-store.ts';
import { bareSchema } from './shared-bare-store.ts';
import { createImporter, type Filling } from './writing.ts';

/** Rows of one statement. */
const rowsPerStatement = 1000;

/** Fills the store of Chartkeeper in a database with its tables. `address` is of a superuser. */
export async function openSharedFilling(address: string, clock: () => number): Promise<Filling> {
  const { database, session, run, disconnect } = await connectForFilling(address);
  const restoreIndexes = await dropIndexes(run);
  const rows = createPile<NewVersion>((versions, previousCount) =>
    writeVersions(session, versions, previousCount),
  );
  const add = createImporter((version) => {
    rows.put(version);
    return 'stored';
  }, clock);
  return {
    async add(record) {
      await add(record);
      await rows.full();
    },
    commit: () => rows.flush(),
    async close() {
      await rows.flush();
      await restoreIndexes();
      await run(`SELECT setval('version_pk', max(pk)) FROM version`);
      await run(`SELECT setval(pg_get_serial_sequence('record', 'pk'), max(pk)) FROM record`);
      await new PostgresDerivationStatus(database, derivations).markAllCurrent(session, Date.now());
      await disconnect();
    },
  };
}

/** Fills the bare handler's table in an empty database. */
export async function openSharedBareFilling(address: string, clock: () => number): Promise<Filling> {
  const { session, run, disconnect } = await connectForFilling(address);
  await run(`SET search_path = public; ${bareSchema}`);
  const insertRecordSql = buildInsertSql(
    'record',
    columnsIn('type text, id text, subject text, encounter text, body text'),
  );
  const rows = createPile<readonly Value[]>(async (values) => {
    await insertRows(session, insertRecordSql, values);
  });
  return {
    add({ type, id, text }) {
      const record = JSON.parse(text) as BareRecord;
      rows.put([
        type,
        id,
        ...listReferencedIds(record),
        serializeBareRecord(record, id, 1, new Date(clock()).toISOString()),
      ]);
      return rows.full();
    },
    commit: () => rows.flush(),
    async close() {
      await rows.flush();
      await run('ANALYZE');
      await disconnect();
    },
  };
}

async function connectForFilling(address: string) {
  const database = new Postgres(readAddress(address), 2);
  const { session, release } = await database.reserveConnection(() => undefined);
  const run = (text: string) => session.rows({ text, values: [] });
  // Nobody waits for these commits. An index of a million records takes long.
  await run(`SET synchronous_commit = off; SET statement_timeout = 0; SET session_replication_role = replica;
    SET maintenance_work_mem = '1GB'`);
  const disconnect = async () => {
    await run('CHECKPOINT');
    release();
    await database.close();
  };
  return { database, session, run, disconnect };
}

/**
 * Collects rows and writes them in batches while further rows are created. `before` is the number of rows
 * written earlier.
 */
function createPile<Row>(write: (rows: readonly Row[], before: number) => Promise<void>) {
  let pile: Row[] = [];
  let storedCount = 0;
  let pendingWrite: Promise<void> = Promise.resolve();
  const writePile = async () => {
    await pendingWrite;
    pendingWrite = write(pile, storedCount);
    storedCount += pile.length;
    pile = [];
  };
  return {
    put: (row: Row) => void pile.push(row),
    full: () => (pile.length < rowsPerStatement ? Promise.resolve() : writePile()),
    async flush() {
      if (pile.length > 0) await writePile();
      await pendingWrite;
    },
  };
}

/** Drops the indexes that enforce no constraint. Returns a function that restores them. */
async function dropIndexes(run: (text: string) => Promise<Value[][]>): Promise<() => Promise<void>> {
  const indexes =
    await run(`SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'chartkeeper'::regnamespace AND NOT EXISTS
    (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`);
  for (const [name] of indexes) await run(`DROP INDEX ${String(name)}`);
  return async () => {
    for (const [, definition] of indexes) {
      process.stderr.write(`${String(definition)}\n`);
      await run(String(definition));
    }
    // Sets the visibility map. Index-only scans need it.
    await run('VACUUM ANALYZE');
  };
}

/** Writes versions like a move, and their index rows. */
async function writeVersions(
  session: Session,
  versions: readonly NewVersion[],
  previousCount: number,
): Promise<void> {
  const movedVersions = versions.map((version, index) => toMovedVersion(version, previousCount + index + 1));
  await databaseVersions(session).write(movedVersions);
  for (const { name, columns, rows } of indexTables) {
    const types = [['record', 'bigint'] as const, ...columns];
    const indexRows = versions.flatMap(({ index }, position) =>
      removeDuplicates(rows(index)).map((row) => [previousCount + position + 1, ...row]),
    );
    for (let offset = 0; offset < indexRows.length; offset += rowsPerStatement)
      await insertRows(
        session,
        buildInsertSql(name, types),
        indexRows.slice(offset, offset + rowsPerStatement),
      );
  }
}

function removeDuplicates(rows: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function toMovedVersion(newVersion: NewVersion, pk: number): MovedVersion {
  const {
    type,
    id,
    version,
    lastUpdated,
    operation,
    author,
    person = null,
    reason = null,
    text,
  } = newVersion;
  const day = dayNumber(Date.parse(lastUpdated));
  const issues = newVersion.issues.map(({ rule, severity, category, pointer }, ordinal) => [
    ordinal,
    rule,
    severity,
    category,
    pointer,
    day,
  ]);
  return {
    pk,
    record: pk,
    type,
    id,
    version,
    lastUpdated,
    sort: newVersion.index.sort,
    operation,
    author,
    person,
    reason,
    sha256: checksumOf(text),
    crc32: null,
    bytes: Buffer.from(text),
    isIntact: true,
    head: { revalidateAtMs: newVersion.revalidateAtMs ?? null, issues, sayings: [] },
  };
}
