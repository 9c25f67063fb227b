import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { isRelation, relationIssues } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { isIntact, searchedColumns } from '../checksum.ts';
import { foundIssueWriter } from './found-issues.ts';
import { isConfirmed, type FoundRelation } from '../relation-sql.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { preparePluck, prepareRaw, type SqliteDatabase } from '../../sqlite/sqlite.ts';

type TextRow = [type: ResourceType, version: number, body: unknown, sum: unknown];

/** Reads and writes the findings between records of an open database. */
export function relationRows(database: SqliteDatabase) {
  const textOf = prepareRaw<TextRow>(
    database,
    `SELECT r.type, v.pk, ${searchedColumns('v')} FROM record r CROSS JOIN version v ON v.pk = r.current WHERE r.pk = ?`,
  );
  const writeFound = foundIssueWriter(database);
  const theirs = ({ rule }: IssueRow) => isRelation(rule);
  /** Last written findings and version, by record. */
  const writtenKeys = new Map<number, string>();

  function rootOf(
    record: number,
  ): { readonly version: number; readonly root: JsonObject | undefined } | undefined {
    const row = textOf.get(record);
    if (!row) return undefined;
    const [, version, body, sum] = row;
    return { version, root: isIntact(body, sum) ? objectIn(body.toString()) : undefined };
  }

  return {
    standing: preparePluck<number>(
      database,
      'SELECT DISTINCT record FROM issue WHERE rule IN (SELECT value FROM json_each(?))',
    ),

    /** Writes the findings of a record. Returns true if one changed. */
    write(record: number, relations: readonly FoundRelation[], day: number): boolean {
      const recordVersion = rootOf(record);
      // The known findings of a damaged record stay.
      if (!recordVersion?.root) return false;
      const key = `${recordVersion.version} ${JSON.stringify(relations)}`;
      if (
        writtenKeys.get(record) === key &&
        relations.every(({ otherRecord: relatedRecord }) => relatedRecord === undefined)
      )
        return false;
      if (relations.length > 0) writtenKeys.set(record, key);
      else writtenKeys.delete(record);
      const issues = relationIssues(
        recordVersion.root,
        relations.filter((relation) => isConfirmed(relation, (relatedRecord) => rootOf(relatedRecord)?.root)),
      );
      return writeFound({ record, foundIssues: issues, theirs, day });
    },
  };
}
