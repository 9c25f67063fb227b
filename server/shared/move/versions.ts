import { hash } from 'node:crypto';
import { nameOfVersion } from '../../store/checksum.ts';
import { replaceNulCharacters, type Session } from '../postgres/connection.ts';
import { columnNames, columnsIn, type Value, type Columns } from '../../store/sql.ts';
import type { MovedTable, FolderTable, RowKey, DatabaseTable } from './kind.ts';
import {
  heldText,
  cellsOf,
  issueTypes,
  sayingTypes,
  versionOf,
  versionTypes,
  type MovedVersion,
  type MovedHead,
} from './moved-version.ts';
import { issueSum } from '../../store/sqlite/index-writer.ts';
import { ordinalBits, rowKey } from '../../sqlite/row-key.ts';
import { prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { readInChunks } from '../../store/chunks.ts';
import { batches, boundedSql } from './bounded.ts';
import { indexRows } from '../../../core/derive/derive.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { insertRows, buildInsertSql } from './plain-rows.ts';

/** Versions in PostgreSQL. */
export function databaseVersions(session: Session): DatabaseTable<MovedVersion> {
  return {
    read: (after) => readDatabaseVersions(session, after),
    write: (rows) => writeVersions(session, rows),
  };
}

const nextSql = `SELECT ${columnNames(versionTypes, 'v.')}, v.body, r.pk, r.judge_again
  FROM ${boundedSql('version WHERE pk > $1::bigint', 'pk')} v
  LEFT JOIN record r ON r.pk = v.record AND r.current = v.pk ORDER BY v.pk`;

function readDatabaseVersions(
  session: Session,
  after: RowKey | undefined,
): AsyncIterable<readonly MovedVersion[]> {
  return readInChunks(async (lastRow) => {
    const rows = await session.rows({ text: nextSql, values: [lastRow?.pk ?? after?.[0] ?? 0] });
    const heads = await headsOf(session, rows);
    return rows.map((row) => {
      const [body, record] = row.slice(versionTypes.length);
      const version = versionOf(row, Buffer.from(String(body)));
      const head = heads.get(Number(record));
      return head ? { ...version, head } : version;
    });
  });
}

const issuesSql = `SELECT record, ordinal, ${columnNames(issueTypes)} FROM issue
  WHERE record = ANY ($1::bigint[]) ORDER BY record, ordinal`;
const sayingsSql = `SELECT record, ${columnNames(sayingTypes)} FROM finding_state
  WHERE record = ANY ($1::bigint[]) ORDER BY record, rule, pointer`;

/** Reads data of the records whose current versions are among the rows, by record. */
async function headsOf(session: Session, rows: readonly Value[][]): Promise<Map<number, MovedHead>> {
  const currentRows = rows.flatMap((row) => {
    const [, record = null, revalidateAtMs = null] = row.slice(versionTypes.length);
    return record === null ? [] : [{ record: Number(record), revalidateAtMs }];
  });
  if (currentRows.length === 0) return new Map();
  const values = [currentRows.map(({ record }) => record)];
  const issues = groupByRecord(await session.rows({ text: issuesSql, values }));
  const sayings = groupByRecord(await session.rows({ text: sayingsSql, values }));
  return new Map(
    currentRows.map(({ record, revalidateAtMs }) => [
      record,
      {
        revalidateAtMs: revalidateAtMs === null ? null : Number(revalidateAtMs),
        issues: issues.get(record) ?? [],
        sayings: sayings.get(record) ?? [],
      },
    ]),
  );
}

/** Groups rows by their first cell, and removes it. */
function groupByRecord(rows: readonly Value[][]): Map<number, Value[][]> {
  const groups = Map.groupBy(rows, ([record]) => Number(record));
  return new Map([...groups].map(([record, groupRows]) => [record, groupRows.map(([, ...row]) => row)]));
}

const recordTypes = columnsIn(`pk bigint, type text, id text, version integer, sort_date bigint, status text,
  title text, judge_again bigint, current bigint`);
const updatedTypes = columnsIn('record bigint, type text, last_updated text, id text');
const recordColumn = ['record', 'bigint'] as const;

const addVersionsSql = `${buildInsertSql('version', [...versionTypes, ['body', 'text']])} ON CONFLICT (pk) DO NOTHING`;
const upsertRecordsSql = `${buildInsertSql('record', recordTypes)} ON CONFLICT (pk) DO UPDATE SET version = excluded.version,
  sort_date = excluded.sort_date, status = excluded.status, title = excluded.title, judge_again = excluded.judge_again,
  current = excluded.current`;
const upsertUpdatedSql = `${buildInsertSql('updated', updatedTypes)}
  ON CONFLICT (record) DO UPDATE SET last_updated = excluded.last_updated`;
const addIssuesSql = buildInsertSql('issue', [recordColumn, ['ordinal', 'integer'], ...issueTypes]);
const addSayingsSql = buildInsertSql('finding_state', [recordColumn, ...sayingTypes]);

async function writeVersions(session: Session, rows: readonly MovedVersion[]): Promise<void> {
  const sortedRows = rows.map((row) => ({ ...row, sort: sortOf(row) }));
  await insertRows(
    session,
    addVersionsSql,
    sortedRows.map((row) => [...cellsOf(row), heldText(row)]),
  );
  const heads = sortedRows.flatMap((row) => (row.head ? [{ ...row, head: row.head }] : []));
  if (heads.length === 0) return;
  const records = heads.map(({ pk, record, type, id, version, sort, head }) => [
    record,
    type,
    id,
    version,
    sort.date,
    sort.status,
    sort.title,
    head.revalidateAtMs,
    pk,
  ]);
  await insertRows(session, upsertRecordsSql, records);
  await insertRows(
    session,
    upsertUpdatedSql,
    heads.map(({ record, type, lastUpdated, id }) => [record, type, lastUpdated, id]),
  );
  const listHeadRows = (select: (head: MovedHead) => readonly (readonly Value[])[]) =>
    heads.flatMap(({ record, head }) => select(head).map((row) => [record, ...row]));
  for (const table of ['issue', 'finding_state']) {
    const text = `DELETE FROM ${table} WHERE record = ANY ($1::bigint[])`;
    await session.rows({ text, values: [heads.map(({ record }) => record)] });
  }
  await insertRows(
    session,
    addIssuesSql,
    listHeadRows(({ issues }) => issues),
  );
  await insertRows(
    session,
    addSayingsSql,
    listHeadRows(({ sayings }) => sayings),
  );
}

/** Derives the sort keys of a version from its text. A damaged version keeps the moved keys. */
function sortOf({ type, bytes, isIntact, sort }: MovedVersion): MovedVersion['sort'] {
  const root = isIntact ? objectIn(bytes.toString()) : undefined;
  return root ? indexRows(type, root, noKeys).sort : sort;
}

const noKeys: ReadonlySet<string> = new Set();

/**
 * Versions in the order of writing. The current one has the data of its record that the text lacks: start
 * days and states of findings. Everything else is derived at the destination.
 */
export const versions: MovedTable<MovedVersion> = {
  name: 'versions',
  isAppendOnly: true,
  keyOf: ({ pk }) => [pk],
  nameOf: nameOfVersion,
  listCells({
    type,
    id,
    version,
    lastUpdated,
    operation,
    author,
    person,
    reason,
    sha256,
    head,
    ...storedText
  }) {
    const { issues = [], sayings = [] } = head ?? {};
    const text = storedText.isIntact ? sha256 : hash('sha256', heldText(storedText), 'buffer');
    return [
      type,
      id,
      version,
      lastUpdated,
      operation,
      author,
      person,
      reason,
      sha256,
      text,
      head !== undefined,
      ...[...issues, ...sayings].map((row) => row.map(toStoredValue)),
    ];
  },
  openInFolder: ({ records }) => folderVersions(records),
  openInDatabase: databaseVersions,
  countUnits: ({ head }) => ({
    records: head ? 1 : 0,
    versions: 1,
    findings: head?.issues.length ?? 0,
    'remarks about findings': head?.sayings.length ?? 0,
  }),
  findDamage: (storedText) =>
    storedText.isIntact ? undefined : `${nameOfVersion(storedText)}: its text is damaged.`,
};

function toStoredValue(cell: Value): Value {
  return typeof cell === 'string' ? replaceNulCharacters(cell) : cell;
}

/** Versions in the records.db of a data folder. */
function folderVersions(database: SqliteDatabase): FolderTable<MovedVersion> {
  return { read: (after) => readVersions(database, after), write: writer(database) };
}

function readVersions(
  database: SqliteDatabase,
  after: RowKey | undefined,
): AsyncIterable<readonly MovedVersion[]> {
  const select = (text: string) => prepareRaw<Value[]>(database, `SELECT ${text}`);
  const next = select(
    `${columnNames(versionTypes, 'v.')}, CAST(v.body AS BLOB), r.pk, r.judge_again
     FROM version v LEFT JOIN record r ON r.pk = v.record AND r.current = v.pk WHERE v.pk > ? ORDER BY v.pk`,
  );
  const issues = select(
    `pk & ${2 ** ordinalBits - 1}, ${columnNames(issueTypes)} FROM issue WHERE pk BETWEEN ? AND ? ORDER BY pk`,
  );
  const sayings = select(
    `${columnNames(sayingTypes)} FROM finding_state WHERE record = ? ORDER BY rule, pointer`,
  );
  return readInChunks<MovedVersion>((lastRow) => {
    // Reads only the first batch: an open read would block the checkpoint of the WAL.
    const [rows = []] = batches(next.iterate(lastRow?.pk ?? after?.[0] ?? 0), sizeOf);
    return rows.map((row) => {
      const [bytes, record, revalidateAtMs] = row.slice(versionTypes.length);
      const version = versionOf(row, Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0));
      if (typeof record !== 'number') return version;
      const head = {
        revalidateAtMs: typeof revalidateAtMs === 'number' ? revalidateAtMs : null,
        issues: issues.all(rowKey(record, 0), rowKey(record + 1, 0) - 1),
        sayings: sayings.all(record),
      };
      return { ...version, head };
    });
  });
}

function sizeOf(row: readonly Value[]): number {
  const text = row[versionTypes.length];
  return Buffer.isBuffer(text) ? text.length : 0;
}

function writer(database: SqliteDatabase): (rows: readonly MovedVersion[]) => void {
  const marks = (types: Columns) => types.map(() => '?').join(', ');
  const add = database.prepare(
    `INSERT OR IGNORE INTO version (${columnNames(versionTypes)}, body) VALUES (${marks(versionTypes)}, ?)`,
  );
  const upsertRecord = database.prepare(
    `INSERT OR REPLACE INTO record (pk, type, id, version, last_updated, sort_date, status, title, judge_again, current)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setSum = database.prepare('UPDATE record SET issues_crc32 = ? WHERE pk = ?');
  const sumOfIssues = issueSum(database);
  const clear = ['issue WHERE pk BETWEEN ? AND ?', 'finding_state WHERE record BETWEEN ? AND ?'];
  const [clearIssues, clearSayings] = clear.map((rows) => database.prepare(`DELETE FROM ${rows}`));
  const addIssue = database.prepare(
    `INSERT INTO issue (pk, ${columnNames(issueTypes)}) VALUES (?, ${marks(issueTypes)})`,
  );
  const addSaying = database.prepare(
    `INSERT INTO finding_state (record, ${columnNames(sayingTypes)}) VALUES (?, ${marks(sayingTypes)})`,
  );
  return (rows) => {
    for (const movedVersion of rows) {
      add.run(...cellsOf(movedVersion), heldText(movedVersion));
      const { pk, record, type, id, version, lastUpdated, sort, head } = movedVersion;
      if (!head) continue;
      const sortCells = [sort.date, sort.status, sort.title, head.revalidateAtMs];
      upsertRecord.run(record, type, id, version, lastUpdated, ...sortCells, pk);
      clearIssues?.run(rowKey(record, 0), rowKey(record + 1, 0) - 1);
      clearSayings?.run(record, record);
      for (const [ordinal, ...issue] of head.issues) addIssue.run(rowKey(record, Number(ordinal)), ...issue);
      for (const saying of head.sayings) addSaying.run(record, ...saying);
      setSum.run(sumOfIssues(record), record);
    }
  };
}
