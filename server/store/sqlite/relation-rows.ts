import type { IssueRow } from '../../../core/fhir/issue-row.ts';
import { isRelation, relationIssues } from '../../../core/fhir/relations.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { isSound, searchedColumns } from '../checksum.ts';
import { foundIssueWriter } from './found-issues.ts';
import { holds, type FoundRelation } from '../relation-sql.ts';
import { objectIn } from '../../../core/json/scan.ts';
import { preparePluck, prepareRaw, type SqliteDatabase } from './sqlite.ts';

type TextRow = [type: ResourceType, version: number, body: unknown, sum: unknown];

/** The findings between records on one open database. */
export function relationRows(database: SqliteDatabase) {
  const textOf = prepareRaw<TextRow>(
    database,
    `SELECT r.type, v.pk, ${searchedColumns('v')} FROM record r CROSS JOIN version v ON v.pk = r.current WHERE r.pk = ?`,
  );
  const writeFound = foundIssueWriter(database);
  const theirs = ({ rule }: IssueRow) => isRelation(rule);
  /** What was written of a record last, and of which version. */
  const written = new Map<number, string>();

  function rootOf(
    record: number,
  ): { readonly version: number; readonly root: JsonObject | undefined } | undefined {
    const row = textOf.get(record);
    if (!row) return undefined;
    const [, version, body, sum] = row;
    return { version, root: isSound(body, sum) ? objectIn(body.toString()) : undefined };
  }

  return {
    /** Records with findings of these rules. */
    standing: preparePluck<number>(
      database,
      'SELECT DISTINCT record FROM issue WHERE rule IN (SELECT value FROM json_each(?))',
    ),

    /** Writes what was found of a record; whether anything changed. */
    write(record: number, found: readonly FoundRelation[], day: number): boolean {
      const read = rootOf(record);
      // Of a damaged record stays what is known.
      if (!read?.root) return false;
      const key = `${read.version} ${JSON.stringify(found)}`;
      if (written.get(record) === key && found.every(({ by }) => by === undefined)) return false;
      if (found.length > 0) written.set(record, key);
      else written.delete(record);
      const issues = relationIssues(
        read.root,
        found.filter((one) => holds(one, (by) => rootOf(by)?.root)),
      );
      return writeFound({ record, found: issues, theirs, day });
    },
  };
}
