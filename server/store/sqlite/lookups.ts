import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { textColumns } from '../checksum.ts';
import { belongsToRecordSql } from '../../sqlite/row-key.ts';
import { subjectNumbers } from '../search-plan.ts';
import { isOfType } from '../sql.ts';
import { prepare, prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { SeverityCount, SubjectRow } from '../store.ts';

type CurrentRow = readonly [version: number, lastUpdated: string, bytes: Buffer, sha256: string];

/** Builds the query for the current version of a record. A join of the two lookups takes three times as long. */
function buildCurrentQuery(type: ResourceType): string {
  return `SELECT version, last_updated, ${textColumns()}
    FROM version WHERE pk = (SELECT r.current FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`;
}

/** Prepares the lookups that need no search plan. */
export function prepareLookups(database: SqliteDatabase) {
  return {
    current: perType((type) => prepareRaw<CurrentRow>(database, buildCurrentQuery(type))),
    issues: perType((type) =>
      prepare<IssueRow>(
        database,
        `SELECT rule, severity, category, pointer
       FROM issue WHERE record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?) ORDER BY rowid`,
      ),
    ),
    severities: perType((type) =>
      prepare<SeverityCount>(
        database,
        `SELECT r.id AS id, sum(i.severity = 'error') AS errors, sum(i.severity = 'warning') AS warnings
       FROM json_each(?) ids CROSS JOIN record r ON ${isOfType('r', type)} AND r.id = ids.value
       JOIN issue i ON i.record = r.pk GROUP BY r.pk`,
      ),
    ),
    countOf: perType((type) =>
      prepare<{ total: number }>(
        database,
        `SELECT count(*) AS total FROM json_each(?) one
       WHERE EXISTS (SELECT 1 FROM record r WHERE ${isOfType('r', type)} AND r.id = one.value)`,
      ),
    ),
    subjects: prepare<SubjectRow>(
      database,
      `WITH newest AS (SELECT pk, last_updated FROM record ORDER BY pk DESC LIMIT 2000),
       subjects AS (
         SELECT f.target AS id, max(n.last_updated) AS at FROM newest n JOIN reference f NOT INDEXED ON ${belongsToRecordSql('f', 'n')}
         WHERE f.key IN ${subjectNumbers} AND f.target <> ''
         GROUP BY f.target ORDER BY at DESC, f.target LIMIT ?)
       SELECT s.id AS id, (SELECT count(*) FROM reference f
         WHERE f.key IN ${subjectNumbers} AND f.target = s.id) AS records
       FROM subjects s ORDER BY s.at DESC, s.id`,
    ),
  };
}
