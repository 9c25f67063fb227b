import { subjectNumbers } from '../search-plan.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { byType } from '../issue-rows.ts';
import type { SharedStore, VersionFacts } from '../store.ts';
import type { Value } from '../sql.ts';
import type { Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import { asBytes, asText, textColumns } from './texts.ts';
import { issueRow, readStanding, standingIssues } from './issue-writer.ts';

const currentText = `SELECT v.version, v.last_updated, ${textColumns}
  FROM record r JOIN version v ON v.pk = r.current WHERE r.type = $1 AND r.id = $2`;

const revisionText = `SELECT v.version, v.last_updated, ${textColumns}, ${standingIssues},
  (SELECT max(taken) FROM numbering)
  FROM record r JOIN version v ON v.pk = r.current WHERE r.type = $1 AND r.id = $2`;

const severityText = `SELECT r.id, count(*) FILTER (WHERE i.severity = 'error'),
  count(*) FILTER (WHERE i.severity = 'warning')
  FROM record r JOIN issue i ON i.record = r.pk WHERE r.type = $1 AND r.id = ANY ($2::text[]) GROUP BY r.id`;

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

type OfVersions = 'read' | 'readBytes' | 'revision' | 'firstNumber';
type OfRecords = 'severities' | 'count' | 'countOf' | 'newestSubjects';

/** The lookups that need no plan: the same statements again and again. */
export function lookupsIn(
  database: Session,
  damage: PostgresDamage,
): Pick<SharedStore, OfVersions | OfRecords> {
  return {
    async read(type, id) {
      const row = await current(database, type, id);
      return row && damage.seenOne(type, asText(type, ...row));
    },

    async readBytes(type, id) {
      const row = await current(database, type, id);
      return row && damage.seenOne(type, asBytes(type, ...row));
    },

    async revision(type, id) {
      const [row] = await database.rows({ text: revisionText, values: [type, id] });
      if (!row) return undefined;
      const [number, lastUpdated, body, sum, issues, taken] = row;
      const facts = { id, version: Number(number), lastUpdated: String(lastUpdated) };
      return {
        standing: damage.seenOne(type, asText(type, facts, [body ?? null, sum ?? null])),
        issues: readStanding(issues).map(issueRow),
        next: Math.max(facts.version, Number(taken)) + 1,
      };
    },

    async firstNumber() {
      const [[taken] = []] = await database.rows({ text: 'SELECT max(taken) FROM numbering' });
      return Number(taken) + 1;
    },

    async severities(type, ids) {
      const rows = await database.rows({ text: severityText, values: [type, ids] });
      return rows.map(([id, errors, warnings]) => ({
        ...{ id: String(id), errors: Number(errors), warnings: Number(warnings) },
      }));
    },

    async count() {
      const text = 'SELECT type, count(*) FROM record GROUP BY type';
      return byType(await database.rows({ text }));
    },

    async countOf(type, ids) {
      const text = 'SELECT count(*) FROM record WHERE type = $1 AND id = ANY ($2::text[])';
      const [[records] = []] = await database.rows({ text, values: [type, ids] });
      return Number(records);
    },

    async newestSubjects(limit) {
      const rows = await database.rows({ text: subjectText, values: [limit] });
      return rows.map(([id, records]) => ({ id: String(id), records: Number(records) }));
    },
  };
}

async function current(
  database: Session,
  type: ResourceType,
  id: string,
): Promise<readonly [VersionFacts, readonly Value[]] | undefined> {
  const [row] = await database.rows({ text: currentText, values: [type, id] });
  if (!row) return undefined;
  const [number, lastUpdated, ...text] = row;
  return [{ id, version: Number(number), lastUpdated: String(lastUpdated) }, text];
}
