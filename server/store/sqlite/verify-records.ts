import { derivations } from '../../../core/derive/derivations.ts';
import { dayOf, derive, lasting } from '../../../core/derive/derive.ts';
import { indexRows } from '../../../core/fhir/index-rows.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { member, stringMember, type JsonNode, type JsonObject } from '../../../core/json/node.ts';
import { scan } from '../../../core/json/scan.ts';
import { isSound, nameOfVersion, textColumns } from '../checksum.ts';
import { stampsOf } from './coverage.ts';
import { indexedUpTo } from './index-backlog.ts';
import {
  indexTableNames,
  indexWriter,
  isSorted,
  issueSum,
  standingIssues,
  type SortColumns,
} from '../index-tables.ts';
import { numbersTaken } from './numbering.ts';
import { nothing, rulesAlone, scopesOf } from '../derive-scope.ts';
import { hasTable, type SqliteDatabase } from './sqlite.ts';

/** Something that is not as it was written. */
export interface VerifyFinding {
  /** `CarePlan/abc, version 2`, `audit entry 7`, or `the file`. */
  readonly where: string;
  /** One sentence, without the subject: what is wrong. */
  readonly problem: string;
}

export interface RecordCounts {
  records: number;
  versions: number;
}

/** The columns of a record's row that repeat those of its newest version. */
const repeated = ['type', 'id', 'version', 'last_updated', 'sort_date', 'status', 'title'] as const;

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
  /** Absent in a schema of before, null where the record was not written since. */
  readonly issues_crc32?: number | null;
}

/** The newest version of a record, and how many it has. */
interface NewestRow {
  readonly pk: number;
  readonly versions: number;
  readonly newest: number;
}

/**
 * Looks at each version's text, and at what describes its record, as far as the file says that today's derivations made
 * it: what others made is to be made anew, and is no damage.
 */
export function* findingsOfRecords(database: SqliteDatabase, counts: RecordCounts): Generator<VerifyFinding> {
  const summedTwice = hasTable(database, 'numbering');
  const nextVersions = database.prepare<unknown[], VersionRow>(
    `SELECT pk, record, type, id, version, last_updated, ${textColumns()},
       ${summedTwice ? 'crc32' : 'NULL AS crc32'}, sort_date, status, title
     FROM version WHERE pk > ? ORDER BY pk LIMIT 100`,
  );
  const recordOf = database.prepare<unknown[], RecordRow>('SELECT * FROM record WHERE pk = ?');
  const newestOf = database.prepare<unknown[], NewestRow>(
    `SELECT max(pk) AS pk, count(*) AS versions, max(version) AS newest FROM version WHERE record = ?`,
  );
  const issuesOf = standingIssues(database);
  const rows = indexWriter(database);
  const stamps = stampsOf(database);
  const covered = derivations.filter(({ name, stamp }) => stamps.get(name) === stamp);
  const scopes = scopesOf(new Set(covered.map(({ name }) => name)), derivations);
  const scopeOf = (type: ResourceType) => scopes.get(type) ?? nothing;
  const indexed = indexedUpTo(database);
  const today = dayOf(Date.now());
  const sumOfIssues = issueSum(database);
  // Behind a restore numbers are left out.
  const taken = numbersTaken(database);

  /** The tables in which other rows stand than the text gives; what the day or a change decides is left as it is. */
  function differing({ pk, current }: RecordRow, type: ResourceType, root: JsonObject): string[] {
    const { index, issues } = derive(type, root, { today });
    const standing = issuesOf(pk);
    const others = standing.filter((issue) => lasting([issue]).length === 0);
    const scope = scopeOf(type);
    const made = current > indexed ? { ...rulesAlone, issues: scope.issues } : scope;
    return rows.mend(pk, { index, issues: [...lasting(issues), ...others] }, made, false);
  }

  function* ofCurrent(version: VersionRow, record: RecordRow, root: JsonObject): Generator<VerifyFinding> {
    const where = nameOf(record);
    const tables = differing(record, version.type, root);
    const index = tables.filter((name) => name !== 'issue');
    if (index.length > 0) {
      yield { where, problem: `is indexed by other values than it has (${index.join(', ')}).` };
    }
    if (tables.includes('issue') && record.issues_crc32 === sumOfIssues(record.pk)) {
      yield { where, problem: 'lists other issues than it has.' };
    }
    if (repeated.some((column) => record[column] !== version[column])) {
      yield {
        where,
        problem: 'is listed with another type, id, version, time, date, status or title than it has.',
      };
    }
  }

  function* ofVersion(version: VersionRow): Generator<VerifyFinding> {
    const { record: pk, body, sha256, crc32 } = version;
    const where = nameOfVersion(version);
    const record = recordOf.get(pk);
    if (!record) yield { where, problem: 'belongs to no record.' };
    if (!isSound(body, sha256) || (crc32 !== null && !isSound(body, crc32))) {
      yield { where, problem: 'has a text that is not the one that was written.' };
      return;
    }
    const { root } = scan(body.toString());
    if (!isStamped(root, version)) {
      yield { where, problem: 'has another type, id, number or time than its text.' };
      return;
    }
    if (scopeOf(version.type).sort && !isSorted(version, indexRows(version.type, root).sort)) {
      yield { where, problem: 'is sorted by other values than its text has.' };
    }
    if (record?.current === version.pk && root.kind === 'object') yield* ofCurrent(version, record, root);
  }

  for (let after = 0; ;) {
    const versions = nextVersions.all(after);
    const last = versions.at(-1);
    if (!last) break;
    after = last.pk;
    for (const version of versions) yield* ofVersion(version);
    counts.versions += versions.length;
  }
  for (const record of database.prepare<unknown[], RecordRow>('SELECT * FROM record').iterate()) {
    const { pk, versions, newest } = newestOf.get(record.pk) ?? { pk: 0, versions: 0, newest: 0 };
    counts.records += 1;
    if (typeof record.issues_crc32 === 'number' && record.issues_crc32 !== sumOfIssues(record.pk)) {
      yield { where: nameOf(record), problem: 'lists other issues than were found in it.' };
    }
    if (pk !== record.current) {
      yield { where: nameOf(record), problem: 'does not point at its newest version.' };
    } else if (versions !== newest && taken === 0) {
      yield { where: nameOf(record), problem: `has ${versions} versions of ${newest}.` };
    }
  }
  // No index keeps two apart; the writer does.
  const twins = database.prepare<unknown[], { type: ResourceType; id: string }>(
    'SELECT type, id FROM record GROUP BY type, id HAVING count(*) > 1',
  );
  for (const record of twins.iterate()) yield { where: nameOf(record), problem: 'is there more than once.' };
  for (const table of indexTableNames) {
    const { orphans } = database
      .prepare<unknown[], { orphans: number }>(
        `SELECT count(*) AS orphans FROM ${table} t WHERE NOT EXISTS (SELECT 1 FROM record r WHERE r.pk = t.record)`,
      )
      .get() ?? { orphans: 0 };
    if (orphans > 0) yield { where: 'the file', problem: `has ${orphans} rows of no record in ${table}.` };
  }
}

function nameOf({ type, id }: { readonly type: string; readonly id: string }): string {
  return `${type}/${id}`;
}

/** Whether a text bears the stamp of its row. */
function isStamped(root: JsonNode, { type, id, version, last_updated: lastUpdated }: VersionRow): boolean {
  const meta = member(root, 'meta');
  return (
    stringMember(root, 'resourceType') === type &&
    stringMember(root, 'id') === id &&
    stringMember(meta, 'versionId') === String(version) &&
    stringMember(meta, 'lastUpdated') === lastUpdated
  );
}
