import { derivations } from '../../../core/derive/derivations.ts';
import { dayOf, derive, listDateIndependentIssues, indexRows } from '../../../core/derive/derive.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { member, stringMember, type JsonNode, type JsonObject } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { formatCount, formatList, formatPlural } from '../../../core/text/language.ts';
import { isIntact, nameOfVersion, textColumns } from '../checksum.ts';
import { readFingerprints } from './derivation-status.ts';
import { readIndexedVersion } from './version-writer.ts';
import {
  indexTableNames,
  isSorted,
  noRows,
  findingsOnly,
  scopesOf,
  type SortColumns,
} from '../index-tables.ts';
import { indexWriter, issueSum, listExistingIssues } from './index-writer.ts';
import { readUsedNumber } from './numbering.ts';
import { hasTable, type SqliteDatabase } from '../../sqlite/sqlite.ts';

/** Damage that a verification found. */
export interface VerifyFinding {
  /** `CarePlan/abc, version 2`, `audit entry 7`, or `the file`. */
  readonly where: string;
  /** One sentence without the subject. */
  readonly problem: string;
}

export interface RecordCounts {
  records: number;
  versions: number;
}

/** Columns of a record that repeat columns of its latest version. */
const repeatedColumns = ['type', 'id', 'version', 'last_updated', 'sort_date', 'status', 'title'] as const;

interface Row extends SortColumns {
  readonly pk: number;
  readonly type: ResourceType;
  readonly id: string;
  readonly version: number;
  readonly last_updated: string;
}

interface VersionRow extends Row {
  readonly record: number;
  readonly body: unknown;
  readonly sha256: unknown;
  readonly crc32: number | null;
}

interface RecordRow extends Row {
  readonly current: number;
  /** Absent in an older schema. Null if the record was not written since the column exists. */
  readonly issues_crc32?: number | null;
}

/** Latest version of a record, and the number of its versions. */
interface NewestRow {
  readonly pk: number;
  readonly versions: number;
  readonly newest: number;
}

/**
 * Verifies the text of each version, and the derived rows that current derivations created. Outdated rows are rebuilt
 * later and are not damage.
 */
export function* findingsOfRecords(database: SqliteDatabase, counts: RecordCounts): Generator<VerifyFinding> {
  const hasFastChecksum = hasTable(database, 'numbering');
  const nextVersions = database.prepare<unknown[], VersionRow>(
    `SELECT pk, record, type, id, version, last_updated, ${textColumns()},
       ${hasFastChecksum ? 'crc32' : 'NULL AS crc32'}, sort_date, status, title
     FROM version WHERE pk > ? ORDER BY pk LIMIT 100`,
  );
  const recordOf = database.prepare<unknown[], RecordRow>('SELECT * FROM record WHERE pk = ?');
  const isRemoved = hasTable(database, 'removed')
    ? database.prepare('SELECT 1 FROM removed WHERE record = ?')
    : undefined;
  const newestOf = database.prepare<unknown[], NewestRow>(
    `SELECT max(pk) AS pk, count(*) AS versions, max(version) AS newest FROM version WHERE record = ?`,
  );
  const issuesOf = listExistingIssues(database);
  const rows = indexWriter(database);
  const storedFingerprints = readFingerprints(database);
  const currentDerivations = derivations.filter(({ name, stamp }) => storedFingerprints.get(name) === stamp);
  const scopes = scopesOf(new Set(currentDerivations.map(({ name }) => name)), derivations);
  const scopeOf = (type: ResourceType) => scopes.get(type) ?? noRows;
  const indexedVersion = readIndexedVersion(database);
  const today = dayOf(Date.now());
  const sumOfIssues = issueSum(database);
  // A restore leaves gaps in the version numbers.
  const usedNumber = readUsedNumber(database);

  /**
   * Lists the tables whose rows differ from the text. Issues that depend on the date or on other records are not
   * compared.
   */
  function listDifferingTables({ pk, current }: RecordRow, type: ResourceType, root: JsonObject): string[] {
    const { index, issues } = derive(type, root, { today });
    const existingIssues = issuesOf(pk);
    const dateDependentIssues = existingIssues.filter(
      (issue) => listDateIndependentIssues([issue]).length === 0,
    );
    const scope = scopeOf(type);
    const comparedScope = current > indexedVersion ? { ...findingsOnly, issues: scope.issues } : scope;
    return rows.reconcile(
      pk,
      { index, issues: [...listDateIndependentIssues(issues), ...dateDependentIssues] },
      comparedScope,
      false,
    );
  }

  function* verifyCurrent(
    version: VersionRow,
    record: RecordRow,
    root: JsonObject,
  ): Generator<VerifyFinding> {
    const where = nameOf(record);
    const tables = listDifferingTables(record, version.type, root);
    const index = tables.filter((name) => name !== 'issue');
    if (index.length > 0) {
      yield { where, problem: `has wrong index values (${formatList(index)}).` };
    }
    if (tables.includes('issue') && record.issues_crc32 === sumOfIssues(record.pk)) {
      yield { where, problem: 'has a wrong list of issues.' };
    }
    if (repeatedColumns.some((column) => record[column] !== version[column])) {
      yield {
        where,
        problem: 'has a wrong type, ID, version, time, date, status or title in the list of records.',
      };
    }
  }

  function* verifyVersion(version: VersionRow): Generator<VerifyFinding> {
    const { record: pk, body, sha256, crc32 } = version;
    const where = nameOfVersion(version);
    const record = recordOf.get(pk);
    if (!record && !isRemoved?.get(pk)) yield { where, problem: 'belongs to no record.' };
    if (!isIntact(body, sha256) || (crc32 !== null && !isIntact(body, crc32))) {
      yield { where, problem: 'has a damaged text.' };
      return;
    }
    const { root } = scan(body.toString());
    if (!hasServerMeta(root, version)) {
      yield { where, problem: 'has a type, ID, number or time that differs from its text.' };
      return;
    }
    if (scopeOf(version.type).sort && !isSorted(version, indexRows(version.type, root).sort)) {
      yield { where, problem: 'has sort values that differ from its text.' };
    }
    if (record?.current === version.pk && root.kind === 'object') yield* verifyCurrent(version, record, root);
  }

  for (let after = 0; ;) {
    const versions = nextVersions.all(after);
    const lastVersion = versions.at(-1);
    if (!lastVersion) break;
    after = lastVersion.pk;
    for (const version of versions) yield* verifyVersion(version);
    counts.versions += versions.length;
  }
  for (const record of database.prepare<unknown[], RecordRow>('SELECT * FROM record').iterate()) {
    const { pk, versions, newest } = newestOf.get(record.pk) ?? { pk: 0, versions: 0, newest: 0 };
    counts.records += 1;
    if (typeof record.issues_crc32 === 'number' && record.issues_crc32 !== sumOfIssues(record.pk)) {
      yield { where: nameOf(record), problem: 'has a list of issues that differs from a new check.' };
    }
    if (pk !== record.current) {
      yield { where: nameOf(record), problem: 'doesn’t point to its newest version.' };
    } else if (versions !== newest && usedNumber === 0) {
      yield {
        where: nameOf(record),
        problem: `has ${formatCount(versions)} of ${formatPlural(newest, { one: '{n} version', other: '{n} versions' })}.`,
      };
    }
  }
  // The writer keeps ids unique. No index enforces it.
  const duplicates = database.prepare<unknown[], { type: ResourceType; id: string }>(
    'SELECT type, id FROM record GROUP BY type, id HAVING count(*) > 1',
  );
  for (const record of duplicates.iterate())
    yield { where: nameOf(record), problem: 'exists more than once.' };
  for (const table of indexTableNames) {
    const { orphans } = database
      .prepare<unknown[], { orphans: number }>(
        `SELECT count(*) AS orphans FROM ${table} t WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.pk = t.record)`,
      )
      .get() ?? { orphans: 0 };
    if (orphans > 0) yield { where: 'the file', problem: formatPlural(orphans, orphanForms, { table }) };
  }
}

const orphanForms = {
  one: 'has {n} row without a record in {table}.',
  other: 'has {n} rows without a record in {table}.',
};

function nameOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type}/${id}`;
}

/** Returns true if the server metadata in a text matches its row. */
function hasServerMeta(
  root: JsonNode,
  { type, id, version, last_updated: lastUpdated }: VersionRow,
): boolean {
  const meta = member(root, 'meta');
  return (
    stringMember(root, 'resourceType') === type &&
    stringMember(root, 'id') === id &&
    stringMember(meta, 'versionId') === String(version) &&
    stringMember(meta, 'lastUpdated') === lastUpdated
  );
}
