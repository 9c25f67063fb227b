/** Fills databases of PostgreSQL: many rows with a statement, the indexes made behind them. Called by fill.ts. */
import { dayNumber } from '../core/app/days.ts';
import { derivations } from '../core/derive/derivations.ts';
import { insertRows, insertText } from '../server/move/plain-rows.ts';
import type { MovedVersion } from '../server/move/moved-version.ts';
import { databaseVersions } from '../server/move/versions-database.ts';
import { checksumOf } from '../server/store/checksum.ts';
import { readAddress } from '../server/store/postgres/address.ts';
import { Postgres, type Session } from '../server/store/postgres/connection.ts';
import { PostgresCoverage } from '../server/store/postgres/coverage.ts';
import { indexTables } from '../server/store/index-tables.ts';
import type { NewVersion } from '../server/store/store.ts';
import { columnsIn, type Value } from '../server/store/sql.ts';
import { stampBare, targetsOf, type BareRecord } from './bare-store.ts';
import { bareSchema } from './shared-bare-store.ts';
import { throughService, type Filling } from './writing.ts';

/** Rows of one statement. */
const together = 1000;

/** The store of Chartkeeper, in a database that has its tables; `address` is of a role that may do everything. */
export async function shared(address: string, clock: () => number): Promise<Filling> {
  const { database, session, run, leave } = await connected(address);
  const makeIndexes = await takeIndexes(run);
  const rows = piled<NewVersion>((versions, before) => writeVersions(session, versions, before));
  const add = throughService((version) => {
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
      await makeIndexes();
      await run(`SELECT setval('version_pk', max(pk)) FROM version`);
      await run(`SELECT setval(pg_get_serial_sequence('record', 'pk'), max(pk)) FROM record`);
      await new PostgresCoverage(database, derivations).noteAll(session, Date.now());
      await leave();
    },
  };
}

/** The bare handler's table, in an empty database. */
export async function sharedBare(address: string, clock: () => number): Promise<Filling> {
  const { session, run, leave } = await connected(address);
  await run(`SET search_path = public; ${bareSchema}`);
  const insert = insertText(
    'record',
    columnsIn('type text, id text, subject text, encounter text, body text'),
  );
  const rows = piled<readonly Value[]>(async (all) => {
    await insertRows(session, insert, all);
  });
  return {
    add({ type, id, text }) {
      const record = JSON.parse(text) as BareRecord;
      rows.put([type, id, ...targetsOf(record), stampBare(record, id, 1, new Date(clock()).toISOString())]);
      return rows.full();
    },
    commit: () => rows.flush(),
    async close() {
      await rows.flush();
      await run('ANALYZE');
      await leave();
    },
  };
}

async function connected(address: string) {
  const database = new Postgres(readAddress(address), 2);
  const { session, release } = await database.hold(() => undefined);
  const run = (text: string) => session.rows({ text, values: [] });
  // Nobody waits for these commits; an index of a million records takes its time.
  await run(`SET synchronous_commit = off; SET statement_timeout = 0; SET session_replication_role = replica;
    SET maintenance_work_mem = '1GB'`);
  const leave = async () => {
    await run('CHECKPOINT');
    release();
    await database.close();
  };
  return { database, session, run, leave };
}

/** Rows that are written many at once, while further ones are made. `before` is how many were written already. */
function piled<Row>(write: (rows: readonly Row[], before: number) => Promise<void>) {
  let pile: Row[] = [];
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  const turn = async () => {
    await writing;
    writing = write(pile, written);
    written += pile.length;
    pile = [];
  };
  return {
    put: (row: Row) => void pile.push(row),
    full: () => (pile.length < together ? Promise.resolve() : turn()),
    async flush() {
      if (pile.length > 0) await turn();
      await writing;
    },
  };
}

/** Takes away what keeps no promise of the schema; answers what makes it anew. */
async function takeIndexes(run: (text: string) => Promise<Value[][]>): Promise<() => Promise<void>> {
  const found = await run(`SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i
    JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'chartkeeper'::regnamespace AND NOT EXISTS
    (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`);
  for (const [name] of found) await run(`DROP INDEX ${String(name)}`);
  return async () => {
    for (const [, definition] of found) {
      process.stderr.write(`${String(definition)}\n`);
      await run(String(definition));
    }
    // The marks of what all may see are set by it; without them no index answers alone.
    await run('VACUUM ANALYZE');
  };
}

/** As a move writes versions, and what each is found by. */
async function writeVersions(
  session: Session,
  versions: readonly NewVersion[],
  before: number,
): Promise<void> {
  const moved = versions.map((version, at) => movedOf(version, before + at + 1));
  await databaseVersions(session).write(moved);
  for (const { name, columns, rows } of indexTables) {
    const types = [['record', 'bigint'] as const, ...columns];
    const all = versions.flatMap(({ index }, at) =>
      distinct(rows(index)).map((row) => [before + at + 1, ...row]),
    );
    for (let from = 0; from < all.length; from += together)
      await insertRows(session, insertText(name, types), all.slice(from, from + together));
  }
}

function distinct(rows: readonly (readonly Value[])[]): readonly (readonly Value[])[] {
  return [...new Map(rows.map((row) => [JSON.stringify(row), row])).values()];
}

function movedOf(next: NewVersion, pk: number): MovedVersion {
  const { type, id, version, lastUpdated, operation, author, person = null, reason = null, text } = next;
  const day = dayNumber(Date.parse(lastUpdated));
  const issues = next.issues.map(({ rule, severity, category, pointer }, ordinal) => [
    ...[ordinal, rule, severity, category, pointer, day],
  ]);
  return {
    ...{ pk, record: pk, type, id, version, lastUpdated, sort: next.index.sort },
    ...{ operation, author, person, reason, sha256: checksumOf(text), crc32: null },
    ...{ bytes: Buffer.from(text), whole: true },
    head: { judgeAgain: next.judgeAgain ?? null, issues, sayings: [] },
  };
}
