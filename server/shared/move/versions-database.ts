import { indexRows } from '../../../core/derive/derive.ts';
import { objectIn } from '../../../core/json/scan.ts';
import type { Session } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import { columnsIn, columnNames, type Value } from '../../store/sql.ts';
import { boundedSql } from './bounded.ts';
import type { DatabaseTable, RowKey } from './kind.ts';
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
import { insertRows, buildInsertSql } from './plain-rows.ts';

/** Versions in PostgreSQL. */
export function databaseVersions(session: Session): DatabaseTable<MovedVersion> {
  return {
    read: (after) => readVersions(session, after),
    write: (rows) => writeVersions(session, rows),
  };
}

const nextSql = `SELECT ${columnNames(versionTypes, 'v.')}, v.body, r.pk, r.judge_again
  FROM ${boundedSql('version WHERE pk > $1::bigint', 'pk')} v
  LEFT JOIN record r ON r.pk = v.record AND r.current = v.pk ORDER BY v.pk`;

function readVersions(session: Session, after: RowKey | undefined): AsyncIterable<readonly MovedVersion[]> {
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
