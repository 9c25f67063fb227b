import { indexRows } from '../../core/fhir/index-rows.ts';
import { objectIn } from '../../core/json/scan.ts';
import type { Session } from '../store/postgres/connection.ts';
import { pieces } from '../store/pieces.ts';
import { columnsIn, columnNames, type Value } from '../store/sql.ts';
import { bounded } from './bounded.ts';
import type { DatabaseHalf, Place } from './kind.ts';
import {
  cellsOf,
  heldText,
  issueTypes,
  sayingTypes,
  versionOf,
  versionTypes,
  type MovedHead,
  type MovedVersion,
} from './moved-version.ts';
import { insertRows, insertText } from './plain-rows.ts';

/** Versions in PostgreSQL. */
export function databaseVersions(session: Session): DatabaseHalf<MovedVersion> {
  return {
    read: (after) => readVersions(session, after),
    write: (rows) => writeVersions(session, rows),
  };
}

const nextText = `SELECT ${columnNames(versionTypes, 'v.')}, v.body, r.pk, r.judge_again
  FROM ${bounded('version WHERE pk > $1::bigint', 'pk')} v
  LEFT JOIN record r ON r.pk = v.record AND r.current = v.pk ORDER BY v.pk`;

function readVersions(session: Session, after: Place | undefined): AsyncIterable<readonly MovedVersion[]> {
  return pieces(async (last) => {
    const rows = await session.rows({ text: nextText, values: [last?.pk ?? after?.[0] ?? 0] });
    const heads = await headsOf(session, rows);
    return rows.map((row) => {
      const [body, record] = row.slice(versionTypes.length);
      const version = versionOf(row, Buffer.from(String(body)));
      const head = heads.get(Number(record));
      return head ? { ...version, head } : version;
    });
  });
}

const issuesText = `SELECT record, ordinal, ${columnNames(issueTypes)} FROM issue
  WHERE record = ANY ($1::bigint[]) ORDER BY record, ordinal`;
const sayingsText = `SELECT record, ${columnNames(sayingTypes)} FROM finding_state
  WHERE record = ANY ($1::bigint[]) ORDER BY record, rule, pointer`;

/** What stands beside the records whose current versions are among the rows, by record. */
async function headsOf(session: Session, rows: readonly Value[][]): Promise<Map<number, MovedHead>> {
  const current = rows.flatMap((row) => {
    const [, record = null, judgeAgain = null] = row.slice(versionTypes.length);
    return record === null ? [] : [{ record: Number(record), judgeAgain }];
  });
  if (current.length === 0) return new Map();
  const values = [current.map(({ record }) => record)];
  const issues = grouped(await session.rows({ text: issuesText, values }));
  const sayings = grouped(await session.rows({ text: sayingsText, values }));
  return new Map(
    current.map(({ record, judgeAgain }) => [
      record,
      {
        judgeAgain: judgeAgain === null ? null : Number(judgeAgain),
        issues: issues.get(record) ?? [],
        sayings: sayings.get(record) ?? [],
      },
    ]),
  );
}

/** Rows by their first cell, without it. */
function grouped(rows: readonly Value[][]): Map<number, Value[][]> {
  const groups = Map.groupBy(rows, ([record]) => Number(record));
  return new Map([...groups].map(([record, own]) => [record, own.map(([, ...row]) => row)]));
}

const recordTypes = columnsIn(`pk bigint, type text, id text, version integer, sort_date bigint, status text,
  title text, judge_again bigint, current bigint`);
const updatedTypes = columnsIn('record bigint, type text, last_updated text, id text');
const ofRecord = ['record', 'bigint'] as const;

const addVersions = `${insertText('version', [...versionTypes, ['body', 'text']])} ON CONFLICT (pk) DO NOTHING`;
const putRecords = `${insertText('record', recordTypes)} ON CONFLICT (pk) DO UPDATE SET version = excluded.version,
  sort_date = excluded.sort_date, status = excluded.status, title = excluded.title, judge_again = excluded.judge_again,
  current = excluded.current`;
const putUpdated = `${insertText('updated', updatedTypes)}
  ON CONFLICT (record) DO UPDATE SET last_updated = excluded.last_updated`;
const addIssues = insertText('issue', [ofRecord, ['ordinal', 'integer'], ...issueTypes]);
const addSayings = insertText('finding_state', [ofRecord, ...sayingTypes]);

async function writeVersions(session: Session, rows: readonly MovedVersion[]): Promise<void> {
  const sorted = rows.map((row) => ({ ...row, sort: sortOf(row) }));
  await insertRows(
    session,
    addVersions,
    sorted.map((row) => [...cellsOf(row), heldText(row)]),
  );
  const heads = sorted.flatMap((row) => (row.head ? [{ ...row, head: row.head }] : []));
  if (heads.length === 0) return;
  const records = heads.map(({ pk, record, type, id, version, sort, head }) => [
    ...[record, type, id, version, sort.date, sort.status, sort.title, head.judgeAgain, pk],
  ]);
  await insertRows(session, putRecords, records);
  await insertRows(
    session,
    putUpdated,
    heads.map(({ record, type, lastUpdated, id }) => [record, type, lastUpdated, id]),
  );
  const beside = (of: (head: MovedHead) => readonly (readonly Value[])[]) =>
    heads.flatMap(({ record, head }) => of(head).map((row) => [record, ...row]));
  for (const table of ['issue', 'finding_state']) {
    const text = `DELETE FROM ${table} WHERE record = ANY ($1::bigint[])`;
    await session.rows({ text, values: [heads.map(({ record }) => record)] });
  }
  await insertRows(
    session,
    addIssues,
    beside(({ issues }) => issues),
  );
  await insertRows(
    session,
    addSayings,
    beside(({ sayings }) => sayings),
  );
}

/** What sorts a version, of its text; of one that cannot be read, what sorted it. */
function sortOf({ type, bytes, whole, sort }: MovedVersion): MovedVersion['sort'] {
  const root = whole ? objectIn(bytes.toString()) : undefined;
  return root ? indexRows(type, root, noKeys).sort : sort;
}

const noKeys: ReadonlySet<string> = new Set();
