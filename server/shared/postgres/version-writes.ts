import { formatRecordName } from '../../../core/app/erasures.ts';
import { dayNumber } from '../../../core/types/definition/dates.ts';
import { checksumOf, quickSumOf } from '../../store/checksum.ts';
import { mergeForeignIssues, indexTables } from '../../store/index-tables.ts';
import { moveIssues } from '../../store/finding-moves.ts';
import type { NewVersion } from '../../store/store.ts';
import { entryOf } from '../../store/write-entry.ts';
import {
  issueRow,
  reconcileIssues,
  readExisting,
  existingIssuesSql,
  type IssueComparison,
} from './issue-writer.ts';
import { addVersionLines } from './batches.ts';
import type { WriteContext } from './writes.ts';
import { columnsIn, columnNames, type Columns, type Value } from '../../store/sql.ts';
import { replaceNulCharacters, type Statement } from './connection.ts';
import { distinct, toColumns, placeholders, type IndexTable } from './version-rows.ts';

const addOriginsSql = `INSERT INTO origin (type, id, source, batch, full_url)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`;

/**
 * Inserts versions. Of several with one id, only the first is stored. That of a removed record is stored if its number is
 * higher than the last one.
 */
export async function insertAll(
  context: WriteContext,
  versions: readonly NewVersion[],
): Promise<readonly ('stored' | 'exists' | 'removed')[]> {
  const { session, note, declareDerived } = context;
  declareDerived();
  const firstVersions = [
    ...new Map(versions.toReversed().map((next) => [formatRecordName(next), next])).values(),
  ];
  const sealedVersions = firstVersions.map((next) => ({ next, sha256: checksumOf(next.text) }));
  const rows = await session.rows(createSql(sealedVersions));
  const storedVersions = new Set(rows.map(([index]) => firstVersions[Number(index)]));
  for (const { next, sha256 } of sealedVersions)
    if (storedVersions.has(next)) note(entryOf(next, undefined, sha256));
  await addVersionLines(
    session,
    firstVersions.filter((next) => storedVersions.has(next)).map((next) => ({ next })),
  );
  const removedVersions = await bringBackAll(
    context,
    firstVersions.filter((next) => !storedVersions.has(next)),
    storedVersions,
  );
  const originRows = firstVersions.flatMap((next) => {
    if (!next.origin || !storedVersions.has(next)) return [];
    const { source, batch, fullUrl } = next.origin;
    const cells = [source, batch, fullUrl].map((cell) => cell && replaceNulCharacters(cell));
    return [[next.type, next.id, ...cells.map((cell) => cell ?? null)]];
  });
  if (originRows.length > 0) await session.rows({ text: addOriginsSql, values: toColumns(originRows, 5) });
  return versions.map((next) =>
    storedVersions.has(next) ? 'stored' : removedVersions.has(next) ? 'removed' : 'exists',
  );
}

const findRemovedSql = `SELECT w.at, m.version FROM unnest($1::integer[], $2::text[], $3::text[]) w(at, type, id)
  JOIN removed m ON m.type = w.type AND m.id = w.id`;

/**
 * Stores the next versions of removed records and adds them to the stored ones. Returns those whose number is in use.
 */
async function bringBackAll(
  context: WriteContext,
  versions: readonly NewVersion[],
  storedVersions: Set<NewVersion | undefined>,
): Promise<ReadonlySet<NewVersion>> {
  const refusedVersions = new Set<NewVersion>();
  if (versions.length === 0) return refusedVersions;
  const { session } = context;
  const names = versions.map(({ type, id }, at) => [at, type, id]);
  const rows = await session.rows({ text: findRemovedSql, values: toColumns(names, 3) });
  for (const [at, lastVersion] of rows) {
    const next = versions[Number(at)];
    if (!next) continue;
    if (next.version <= Number(lastVersion)) {
      refusedVersions.add(next);
      continue;
    }
    const { type, id } = next;
    const text = 'SELECT bring_back($1, $2)';
    const [[expected = null] = []] = await session.rows({ text, values: [type, id] });
    if (expected === null) continue;
    const change = { next: { ...next, batchLine: undefined }, expected: Number(expected) };
    if ((await replaceAll(context, [change]))[0] !== 'stored') continue;
    // For its batch, the record is new.
    await addVersionLines(session, [{ next }]);
    storedVersions.add(next);
  }
  return refusedVersions;
}

/** Replaces a version if `expected` is the current version number. */
export interface Change {
  readonly next: NewVersion;
  readonly expected: number;
}

/** Replaces versions, at most one for each record. */
export async function replaceAll(
  context: WriteContext,
  changes: readonly Change[],
): Promise<readonly ('stored' | 'stale')[]> {
  const { session, note, declareDerived } = context;
  declareDerived();
  const results = new Map<NewVersion, 'stored' | 'stale'>();
  let remaining: readonly SealedChange[] = changes.map((change) => ({
    ...change,
    sha256: checksumOf(change.next.text),
  }));
  while (remaining.length > 0) {
    const rows = await session.rows(changeSql(remaining));
    const diffs = new Map<SealedChange, IssueComparison>();
    for (const [index, record, issues] of rows) {
      const change = remaining[Number(index)];
      if (!change) continue;
      const { type, issues: newIssues, movedIssues: moves = [] } = change.next;
      const existing = readExisting(issues);
      const expected = mergeForeignIssues(newIssues, moveIssues(existing.map(issueRow), moves));
      diffs.set(change, { record: Number(record), type, existing, expected, moves });
    }
    const days = Map.groupBy(diffs, ([{ next }]) => dayNumber(Date.parse(next.lastUpdated)));
    for (const [day, dayDiffs] of days)
      await reconcileIssues(
        context,
        dayDiffs.map(([, diff]) => diff),
        day,
      );
    for (const { next, expected, sha256 } of diffs.keys()) note(entryOf(next, expected, sha256));
    await addVersionLines(
      session,
      Array.from(diffs.keys(), ({ next, expected }) => ({ next, previous: expected })),
    );
    const missed = remaining.filter((change) => !diffs.has(change));
    for (const { next } of remaining) results.set(next, 'stored');
    for (const { next } of missed) results.set(next, 'stale');
    remaining = await findRetryable(context, missed);
  }
  return changes.map(({ next }) => results.get(next) ?? 'stale');
}

/**
 * Returns the changes whose rows were reconciled while the statement waited for their lock. The next
 * statement sees these rows.
 */
async function findRetryable(
  { session }: WriteContext,
  missed: readonly SealedChange[],
): Promise<readonly SealedChange[]> {
  const retryable: SealedChange[] = [];
  for (const change of missed) {
    const { next, expected } = change;
    const text = 'SELECT 1 FROM record WHERE type = $1 AND id = $2 AND version = $3::integer';
    if ((await session.rows({ text, values: [next.type, next.id, expected] })).length > 0)
      retryable.push(change);
  }
  return retryable;
}

// Creates that share a commit form one statement, and so do updates. The first part of an update compares the
// expected version, so no write can come between comparison and update.
//
// Issues of an update are reconciled afterwards, if they differ (issue-writer.ts).

/** A version to store, with the checksum of its text. */
interface SealedVersion {
  readonly next: NewVersion;
  readonly sha256: Buffer;
}

/** An update if `expected` is the current version number. */
interface SealedChange extends SealedVersion {
  readonly expected: number;
}

/** Returns `unnest` of column lists whose placeholders follow a number of earlier ones. */
function unnest(columns: Columns, offset: number, name: string): string {
  return `unnest(${placeholders(columns, offset)}) ${name}(${columnNames(columns)})`;
}

/** Columns of the first parameter of both statements. `at` is the index of the version. */
const versionColumns = columnsIn(`at integer, type text, id text, version integer, expected integer,
  sort_date bigint, status text, title text, judge_again bigint, last_updated text, operation text, author text,
  person text, reason text, sha256 bytea, crc32 bigint, body text`);

function versionRow({ next, sha256 }: SealedVersion, index: number, expected: number | null): Value[] {
  const { type, id, version, lastUpdated, operation, author, person = null, reason = null, text } = next;
  const { date, status, title } = next.index.sort;
  return [
    index,
    type,
    id,
    version,
    expected,
    date,
    status,
    title,
    next.revalidateAtMs ?? null,
    lastUpdated,
    operation,
    author,
    person,
    reason,
    sha256,
    quickSumOf(text),
    text,
  ];
}

const indexColumn = ['at', 'integer'] as const;
const widths = indexTables.map(({ columns }) => columns.length + 1);
const getOffset = (table: number) =>
  widths.slice(0, table).reduce((sum, width) => sum + width, versionColumns.length);

/** Common table expressions of the parameters. */
const parameterTables = [
  `n AS MATERIALIZED (SELECT * FROM ${unnest(versionColumns, 0, 'n')})`,
  ...indexTables.map(
    ({ name, columns }, table) =>
      `${name}_w AS MATERIALIZED (SELECT * FROM ${unnest([indexColumn, ...columns], getOffset(table), 'w')})`,
  ),
];

function indexLists(versions: readonly SealedVersion[]): Value[][] {
  return indexTables.flatMap(({ columns, rows }) => {
    const indexRows = versions.flatMap(({ next }, index) =>
      distinct(rows(next.index)).map((row) => [index, ...row]),
    );
    return toColumns(indexRows, columns.length + 1);
  });
}

/** Both statements define `m`: the stored versions with the primary keys of record and version. */
const versionInserts = [
  `v AS (INSERT INTO version (pk, record, type, id, version, last_updated, sort_date, status, title, operation, author,
    person, reason, sha256, crc32, body)
  SELECT current, pk, type, id, version, last_updated, sort_date, status, title, operation, author,
    person, reason, sha256, crc32, body FROM m)`,
];

function formatInsert({ name, columns }: IndexTable): string {
  return `${name}_added AS (INSERT INTO ${name} SELECT m.pk, ${columnNames(columns, 'w.')} FROM m JOIN ${name}_w w ON w.at = m.at)`;
}

/** Rows that match are not touched. */
function formatReconcile({ name, columns }: IndexTable): string {
  const isSameSql = columns.map(([column]) => `w.${column} IS NOT DISTINCT FROM f.${column}`).join(' AND ');
  return `${name}_gone AS (DELETE FROM ${name} f USING m WHERE f.record = m.pk
      AND NOT EXISTS (SELECT 1 FROM ${name}_w w WHERE w.at = m.at AND ${isSameSql})),
    ${name}_added AS (INSERT INTO ${name} SELECT m.pk, ${columnNames(columns, 'w.')} FROM m JOIN ${name}_w w ON w.at = m.at
      WHERE NOT EXISTS (SELECT 1 FROM ${name} f WHERE f.record = m.pk AND ${isSameSql}))`;
}

const issueColumns = columnsIn(
  'at integer, ordinal integer, rule text, severity text, category text, pointer text, since integer',
);

const createText = `WITH ${[
  ...parameterTables,
  `r AS (
  INSERT INTO record (type, id, version, current, sort_date, status, title, judge_again)
  SELECT type, id, version, nextval('version_pk'), sort_date, status, title, judge_again FROM n
  WHERE NOT EXISTS (SELECT 1 FROM removed m WHERE m.type = n.type AND m.id = n.id) ORDER BY type, id
  ON CONFLICT (type, id) DO NOTHING RETURNING pk, current, type, id)`,
  `m AS MATERIALIZED (SELECT r.pk, r.current, ${columnNames(versionColumns, 'n.')} FROM r JOIN n USING (type, id))`,
  `u AS (INSERT INTO updated (record, type, last_updated, id) SELECT pk, type, last_updated, id FROM m)`,
  ...versionInserts,
  ...indexTables.map(formatInsert),
  `i AS (INSERT INTO issue (record, ordinal, rule, severity, category, pointer, since)
  SELECT m.pk, w.ordinal, w.rule, w.severity, w.category, w.pointer, w.since
  FROM m JOIN ${unnest(issueColumns, getOffset(indexTables.length), 'w')} ON w.at = m.at)`,
].join(',\n')} SELECT at FROM m`;

/**
 * Returns the statement that inserts first versions, each with a different id. It returns the indexes of the
 * stored versions. The ids of the others are taken.
 */
function createSql(items: readonly SealedVersion[]): Statement {
  const issues = items.flatMap(({ next }, index) =>
    next.issues.map(({ rule, severity, category, pointer }, ordinal) => [
      index,
      ordinal,
      rule,
      severity,
      category,
      pointer,
      dayNumber(Date.parse(next.lastUpdated)),
    ]),
  );
  const versions = items.map((version, index) => versionRow(version, index, null));
  const values = [
    ...toColumns(versions, versionColumns.length),
    ...indexLists(items),
    ...toColumns(issues, issueColumns.length),
  ];
  return { text: createText, values };
}

const changeText = `WITH ${[
  ...parameterTables,
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
  ...versionInserts,
  ...indexTables.map(formatReconcile),
].join(',\n')} SELECT r.at, r.pk, ${existingIssuesSql} FROM r`;

/**
 * Returns the statement that updates records, each at most once, locked in the order of type and id.
 *
 * It returns the indexes of the stored versions with the record and its existing issues. For the others,
 * another version is current, or rows were reconciled while the statement waited for a lock: the statement
 * would not see them.
 */
function changeSql(changes: readonly SealedChange[]): Statement {
  const versions = changes.map((change, index) => versionRow(change, index, change.expected));
  return {
    text: changeText,
    values: [...toColumns(versions, versionColumns.length), ...indexLists(changes)],
  };
}
