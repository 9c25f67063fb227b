/**
 * A create is one statement, and so is a change: what is written hangs on the row that the first part of it makes, or
 * advances where the version is still the one expected, so that nothing comes between comparing and writing. Issues of a
 * change are mended behind it, where they differ (issue-writer.ts).
 */
import type { NewVersion } from '../store.ts';
import { quickSumOf } from '../checksum.ts';
import type { Given, Statement } from './connection.ts';
import { standingIssues } from './issue-writer.ts';
import { indexLists, indexTables, issueLists, type IndexTable } from './version-rows.ts';

/** What both statements are given first. */
const common = [
  ...['type', 'id', 'version', 'sort_date', 'status', 'title', 'judge_again'],
  ...['last_updated', 'operation', 'author', 'person', 'reason', 'sha256', 'crc32', 'body'],
] as const;

const types: Partial<Record<(typeof common)[number], string>> = {
  version: 'integer',
  sort_date: 'bigint',
  judge_again: 'bigint',
  sha256: 'bytea',
  crc32: 'bigint',
};

const given = Object.fromEntries(
  common.map((name, at) => [name, `$${at + 1}::${types[name] ?? 'text'}`]),
) as Readonly<Record<(typeof common)[number], string>>;

function commonOf(next: NewVersion, sha256: Buffer): Given[] {
  const { type, id, version, lastUpdated, operation, author, person = null, reason = null, text } = next;
  const { date, status, title } = next.index.sort;
  return [
    ...[type, id, version, date, status, title, next.judgeAgain ?? null],
    ...[lastUpdated, operation, author, person, reason, sha256, quickSumOf(text), text],
  ];
}

/** Names of the tables' rows that are wanted, each `unnest` of its lists; the placeholders stand behind the common ones. */
const wanted = new Map<string, string>();
let placeholder = common.length;
for (const { name, columns } of indexTables) {
  const lists = columns.map(([, type]) => `$${(placeholder += 1)}::${type}[]`).join(', ');
  wanted.set(name, `unnest(${lists}) w(${columns.map(([column]) => column).join(', ')})`);
}
const lists = placeholder;

function parts(...made: readonly string[]): string {
  return made.join(',\n');
}

const version = `v AS (
  INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author, person,
    reason, sha256, crc32, body)
  SELECT current, pk, ${given.type}, ${given.id}, ${given.version}, ${given.last_updated}, ${given.sort_date},
    ${given.status}, ${given.title}, ${given.operation}, ${given.author}, ${given.person}, ${given.reason},
    ${given.sha256}, ${given.crc32}, ${given.body} FROM r)`;

function added({ name }: IndexTable): string {
  return `${name}_added AS (INSERT INTO ${name} SELECT r.pk, w.* FROM r, ${wanted.get(name)})`;
}

function same({ columns }: IndexTable): string {
  return columns.map(([column]) => `w.${column} IS NOT DISTINCT FROM f.${column}`).join(' AND ');
}

/** Rows that stay are not touched. */
function mended(table: IndexTable): string {
  const { name } = table;
  const rows = wanted.get(name);
  return parts(
    `${name}_gone AS (DELETE FROM ${name} f USING r WHERE f.record = r.pk
       AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE ${same(table)}))`,
    `${name}_added AS (INSERT INTO ${name} SELECT r.pk, w.* FROM r, ${rows}
       WHERE NOT EXISTS (SELECT 1 FROM ${name} f WHERE f.record = r.pk AND ${same(table)}))`,
  );
}

const createText = `WITH ${parts(
  `r AS (
  INSERT INTO record (type, id, version, current, sort_date, status, title, judge_again)
  VALUES (${given.type}, ${given.id}, ${given.version}, nextval('version_pk'), ${given.sort_date}, ${given.status},
    ${given.title}, ${given.judge_again})
  ON CONFLICT (type, id) DO NOTHING RETURNING pk, current)`,
  `u AS (INSERT INTO updated (record, type, last_updated, id)
  SELECT pk, ${given.type}, ${given.last_updated}, ${given.id} FROM r)`,
  version,
  ...indexTables.map(added),
  `i AS (INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT r.pk, w.at - 1, w.rule, w.severity, w.category, w.pointer, $${lists + 1}::integer
  FROM r, unnest($${lists + 2}::text[], $${lists + 3}::text[], $${lists + 4}::text[], $${lists + 5}::text[])
    WITH ORDINALITY w(rule, severity, category, pointer, at))`,
)} SELECT pk FROM r`;

/** Answers the number of the record; no row where its id is taken. */
export function createSql(next: NewVersion, sha256: Buffer, day: number): Statement {
  const values = [...commonOf(next, sha256), ...indexLists(next.index), day, ...issueLists(next.issues)];
  return { text: createText, values };
}

const changeText = `WITH ${parts(
  `r AS (
  UPDATE record SET version = ${given.version}, current = nextval('version_pk'), changed = pg_current_xact_id(),
    sort_date = ${given.sort_date}, status = ${given.status}, title = ${given.title},
    judge_again = ${given.judge_again}
  WHERE type = ${given.type} AND id = ${given.id} AND version = $${lists + 1}::integer
    AND xmin = (SELECT s.xmin FROM record s WHERE s.type = ${given.type} AND s.id = ${given.id})
  RETURNING pk, current)`,
  `u AS (UPDATE updated SET last_updated = ${given.last_updated} FROM r WHERE updated.record = r.pk)`,
  version,
  ...indexTables.map(mended),
)} SELECT r.pk, ${standingIssues} FROM r`;

/**
 * Answers the number of the record and its issues as they stand; no row where another version is current, or where its rows
 * were mended while this waited for its lock: the statement would not see them.
 */
export function changeSql(next: NewVersion, sha256: Buffer, expected: number): Statement {
  return { text: changeText, values: [...commonOf(next, sha256), ...indexLists(next.index), expected] };
}
