/**
 * Creates that are committed together are one statement, and so are changes: what is written hangs on the rows that its first
 * part makes, or advances where the version is still the one expected, so that nothing comes between comparing and writing.
 * Issues of a change are mended behind it, where they differ (issue-writer.ts).
 */
import { dayNumber } from '../../../core/app/days.ts';
import type { NewVersion } from '../store.ts';
import { quickSumOf } from '../checksum.ts';
import { columnsIn, columnNames, type Columns, type Value } from '../sql.ts';
import type { Statement } from './connection.ts';
import { standingIssues } from './issue-writer.ts';
import { indexTables } from '../index-tables.ts';
import { distinct, listsOf, placeholders, type IndexTable } from './version-rows.ts';

/** A version that is to be stored, with the checksum of its text. */
export interface Sealed {
  readonly next: NewVersion;
  readonly sha256: Buffer;
}

/** A change of the version that is expected to be the current one. */
export interface SealedChange extends Sealed {
  readonly expected: number;
}

/** `unnest` of lists, one a column, whose placeholders begin behind so many. */
function unnest(columns: Columns, before: number, name: string): string {
  return `unnest(${placeholders(columns, before)}) ${name}(${columnNames(columns)})`;
}

/** What both statements are given first: a row for each version, `at` its place among them. */
const versionColumns = columnsIn(`at integer, type text, id text, version integer, expected integer,
  sort_date bigint, status text, title text, judge_again bigint, last_updated text, operation text, author text,
  person text, reason text, sha256 bytea, crc32 bigint, body text`);

function versionRow({ next, sha256 }: Sealed, at: number, expected: number | null): Value[] {
  const { type, id, version, lastUpdated, operation, author, person = null, reason = null, text } = next;
  const { date, status, title } = next.index.sort;
  return [
    ...[at, type, id, version, expected, date, status, title, next.judgeAgain ?? null, lastUpdated],
    ...[operation, author, person, reason, sha256, quickSumOf(text), text],
  ];
}

const at = ['at', 'integer'] as const;
const widths = indexTables.map(({ columns }) => columns.length + 1);
const before = (table: number) =>
  widths.slice(0, table).reduce((sum, width) => sum + width, versionColumns.length);

/** What is given of each. */
const given = [
  `n AS MATERIALIZED (SELECT * FROM ${unnest(versionColumns, 0, 'n')})`,
  ...indexTables.map(
    ({ name, columns }, table) =>
      `${name}_w AS MATERIALIZED (SELECT * FROM ${unnest([at, ...columns], before(table), 'w')})`,
  ),
];

function indexLists(all: readonly Sealed[]): Value[][] {
  return indexTables.flatMap(({ columns, rows }) => {
    const found = all.flatMap(({ next }, place) => distinct(rows(next.index)).map((row) => [place, ...row]));
    return listsOf(found, columns.length + 1);
  });
}

/** Both make `m`: the versions that are stored, with the numbers of their records and their own. */
const stored = [
  `v AS (INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
    person, reason, sha256, crc32, body)
  SELECT current, pk, type, id, version, last_updated, sort_date, status, title, operation, author,
    person, reason, sha256, crc32, body FROM m)`,
];

function added({ name, columns }: IndexTable): string {
  return `${name}_added AS (INSERT INTO ${name} SELECT m.pk, ${columnNames(columns, 'w.')} FROM m JOIN ${name}_w w ON w.at = m.at)`;
}

/** Rows that stay are not touched. */
function mended({ name, columns }: IndexTable): string {
  const same = columns.map(([column]) => `w.${column} IS NOT DISTINCT FROM f.${column}`).join(' AND ');
  return `${name}_gone AS (DELETE FROM ${name} f USING m WHERE f.record = m.pk
      AND NOT EXISTS (SELECT 1 FROM ${name}_w w WHERE w.at = m.at AND ${same})),
    ${name}_added AS (INSERT INTO ${name} SELECT m.pk, ${columnNames(columns, 'w.')} FROM m JOIN ${name}_w w ON w.at = m.at
      WHERE NOT EXISTS (SELECT 1 FROM ${name} f WHERE f.record = m.pk AND ${same}))`;
}

const issueColumns = columnsIn(
  'at integer, ordinal integer, rule text, severity text, category text, pointer text, since integer',
);

const createText = `WITH ${[
  ...given,
  `r AS (
  INSERT INTO record (type, id, version, current, sort_date, status, title, judge_again)
  SELECT type, id, version, nextval('version_pk'), sort_date, status, title, judge_again FROM n ORDER BY type, id
  ON CONFLICT (type, id) DO NOTHING RETURNING pk, current, type, id)`,
  `m AS MATERIALIZED (SELECT r.pk, r.current, ${columnNames(versionColumns, 'n.')} FROM r JOIN n USING (type, id))`,
  `u AS (INSERT INTO updated (record, type, last_updated, id) SELECT pk, type, last_updated, id FROM m)`,
  ...stored,
  ...indexTables.map(added),
  `i AS (INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT m.pk, w.ordinal, w.rule, w.severity, w.category, w.pointer, w.since
  FROM m JOIN ${unnest(issueColumns, before(indexTables.length), 'w')} ON w.at = m.at)`,
].join(',\n')} SELECT at FROM m`;

/** Answers the places of those that are stored; of the others the id is taken. No two may have one id. */
export function createSql(all: readonly Sealed[]): Statement {
  const issues = all.flatMap(({ next }, place) =>
    next.issues.map(({ rule, severity, category, pointer }, ordinal) => [
      ...[place, ordinal, rule, severity, category, pointer, dayNumber(Date.parse(next.lastUpdated))],
    ]),
  );
  const versions = all.map((one, place) => versionRow(one, place, null));
  const values = [
    ...listsOf(versions, versionColumns.length),
    ...indexLists(all),
    ...listsOf(issues, issueColumns.length),
  ];
  return { text: createText, values };
}

const changeText = `WITH ${[
  ...given,
  `l AS MATERIALIZED (
  SELECT r.pk FROM n JOIN record r USING (type, id) ORDER BY type, id FOR UPDATE OF r)`,
  `r AS (
  UPDATE record t SET version = n.version, current = nextval('version_pk'), changed = pg_current_xact_id(),
    sort_date = n.sort_date, status = n.status, title = n.title, judge_again = n.judge_again
  FROM l JOIN record s ON s.pk = l.pk JOIN n ON n.type = s.type AND n.id = s.id
  WHERE t.pk = l.pk AND t.version = n.expected AND t.xmin = s.xmin
  RETURNING t.pk, t.current, n.at)`,
  `m AS MATERIALIZED (SELECT r.pk, r.current, ${columnNames(versionColumns, 'n.')} FROM r JOIN n USING (at))`,
  `u AS (UPDATE updated SET last_updated = m.last_updated FROM m WHERE updated.record = m.pk)`,
  ...stored,
  ...indexTables.map(mended),
].join(',\n')} SELECT r.at, r.pk, ${standingIssues} FROM r`;

/**
 * Answers the places of those that are stored, with the number of the record and its issues as they stand; of the others another
 * version is current, or their rows were mended while this waited for a lock: the statement would not see them. No two may be of
 * one record, whose rows are locked in the order of their types and ids.
 */
export function changeSql(all: readonly SealedChange[]): Statement {
  const versions = all.map((one, place) => versionRow(one, place, one.expected));
  return { text: changeText, values: [...listsOf(versions, versionColumns.length), ...indexLists(all)] };
}
