import { hash } from 'node:crypto';
import { nameOfVersion } from '../../store/checksum.ts';
import { replaceNulCharacters } from '../postgres/connection.ts';
import { columnNames, type Value, type Columns } from '../../store/sql.ts';
import type { MovedTable, FolderTable, RowKey } from './kind.ts';
import {
  heldText,
  cellsOf,
  issueTypes,
  sayingTypes,
  versionOf,
  versionTypes,
  type MovedVersion,
} from './moved-version.ts';
import { databaseVersions } from './versions-database.ts';
import { issueSum } from '../../store/sqlite/index-writer.ts';
import { ordinalBits, rowKey } from '../../sqlite/row-key.ts';
import { prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { readInChunks } from '../../store/chunks.ts';
import { batches } from './bounded.ts';

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
