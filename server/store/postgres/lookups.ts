import { perType, type ResourceType } from '../../../core/fhir/resource.ts';
import { subjectNumbers } from '../search-plan.ts';
import type {
  OrDamaged,
  Revision,
  SeverityCount,
  StoredBytes,
  StoredVersion,
  SubjectRow,
  VersionFacts,
} from '../store.ts';
import type { Value } from '../sql.ts';
import type { Session } from './connection.ts';
import { asBytes, asText, textColumns } from './texts.ts';
import { issueRow, readStanding, standingIssues } from './issue-writer.ts';

/** The lookups that need no plan: the same statements again and again. */

const currentText = `SELECT v.version, v.last_updated, ${textColumns}
  FROM record r JOIN version v ON v.pk = r.current WHERE r.type = $1 AND r.id = $2`;

async function current(
  database: Session,
  type: ResourceType,
  id: string,
): Promise<readonly [VersionFacts, readonly Value[]] | undefined> {
  const [row] = await database.rows({ text: currentText, values: [type, id] });
  if (!row) return undefined;
  const [version, lastUpdated, ...text] = row;
  return [{ id, version: Number(version), lastUpdated: String(lastUpdated) }, text];
}

export async function readBytes(
  database: Session,
  type: ResourceType,
  id: string,
): Promise<OrDamaged<StoredBytes> | undefined> {
  const row = await current(database, type, id);
  return row && asBytes(type, ...row);
}

export async function read(
  database: Session,
  type: ResourceType,
  id: string,
): Promise<OrDamaged<StoredVersion> | undefined> {
  const row = await current(database, type, id);
  return row && asText(type, ...row);
}

const revisionText = `SELECT v.version, v.last_updated, ${textColumns}, ${standingIssues},
  (SELECT max(taken) FROM numbering)
  FROM record r JOIN version v ON v.pk = r.current WHERE r.type = $1 AND r.id = $2`;

export async function revision(
  database: Session,
  type: ResourceType,
  id: string,
): Promise<Revision | undefined> {
  const [row] = await database.rows({ text: revisionText, values: [type, id] });
  if (!row) return undefined;
  const [number, lastUpdated, body, sum, issues, taken] = row;
  const version = Number(number);
  return {
    standing: asText(type, { id, version, lastUpdated: String(lastUpdated) }, [body ?? null, sum ?? null]),
    issues: readStanding(issues).map(issueRow),
    next: Math.max(version, Number(taken)) + 1,
  };
}

export async function firstNumber(database: Session): Promise<number> {
  const [[taken] = []] = await database.rows({ text: 'SELECT max(taken) FROM numbering', values: [] });
  return Number(taken) + 1;
}

export async function severities(
  database: Session,
  type: ResourceType,
  ids: readonly string[],
): Promise<readonly SeverityCount[]> {
  const text = `SELECT r.id, count(*) FILTER (WHERE i.severity = 'error'),
    count(*) FILTER (WHERE i.severity = 'warning')
    FROM record r JOIN issue i ON i.record = r.pk WHERE r.type = $1 AND r.id = ANY ($2::text[]) GROUP BY r.id`;
  const rows = await database.rows({ text, values: [type, ids] });
  return rows.map(([id, errors, warnings]) => ({
    ...{ id: String(id), errors: Number(errors), warnings: Number(warnings) },
  }));
}

export async function count(database: Session): Promise<Record<ResourceType, number>> {
  const found = perType(() => 0);
  const rows = await database.rows({ text: 'SELECT type, count(*) FROM record GROUP BY type', values: [] });
  for (const [type, records] of rows) found[String(type) as ResourceType] = Number(records);
  return found;
}

export async function countOf(
  database: Session,
  type: ResourceType,
  ids: readonly string[],
): Promise<number> {
  const text = 'SELECT count(*) FROM record WHERE type = $1 AND id = ANY ($2::text[])';
  const [[records] = []] = await database.rows({ text, values: [type, ids] });
  return Number(records);
}

/** Records that are looked at for their subjects. */
const newest = 2000;

const subjectText = `WITH newest AS (SELECT pk, current FROM record ORDER BY pk DESC LIMIT ${newest}),
  subjects AS (
    SELECT f.target AS id, max(u.last_updated) AS at FROM newest n JOIN updated u ON u.record = n.pk
      JOIN reference f ON f.record = n.pk
    WHERE f.key IN ${subjectNumbers} AND f.target <> '' GROUP BY f.target ORDER BY at DESC, f.target LIMIT $1::integer)
  SELECT s.id, (SELECT count(*) FROM reference f WHERE f.key IN ${subjectNumbers}
    AND left(f.target, 200) = left(s.id, 200) AND f.target = s.id)
  FROM subjects s ORDER BY s.at DESC, s.id`;

export async function newestSubjects(database: Session, limit: number): Promise<readonly SubjectRow[]> {
  const rows = await database.rows({ text: subjectText, values: [limit] });
  return rows.map(([id, records]) => ({ id: String(id), records: Number(records) }));
}
