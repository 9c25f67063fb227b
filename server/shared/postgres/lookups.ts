import { subjectNumbers } from '../../store/search-plan.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { byType } from '../../store/issue-rows.ts';
import type { SharedStore, VersionMetadata } from '../../store/store.ts';
import type { Value } from '../../store/sql.ts';
import type { Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import { asBytes, asText, textColumns } from './texts.ts';
import { issueRow, readExisting, existingIssuesSql } from './issue-writer.ts';

const currentSql = `SELECT v.version, v.last_updated, ${textColumns}
  FROM record r JOIN version v ON v.pk = r.current WHERE r.type = $1 AND r.id = $2`;

const revisionSql = `SELECT v.version, v.last_updated, ${textColumns}, ${existingIssuesSql},
  (SELECT max(taken) FROM numbering)
  FROM record r JOIN version v ON v.pk = r.current WHERE r.type = $1 AND r.id = $2`;

const severitySql = `SELECT r.id, count(*) FILTER (WHERE i.severity = 'error'),
  count(*) FILTER (WHERE i.severity = 'warning')
  FROM record r JOIN issue i ON i.record = r.pk WHERE r.type = $1 AND r.id = ANY ($2::text[]) GROUP BY r.id`;

/** Latest records that are searched for subjects. */
const latestCount = 2000;

const subjectSql = `WITH newest AS (SELECT pk, current FROM record ORDER BY pk DESC LIMIT ${latestCount}),
  subjects AS (
    SELECT f.target AS id, max(u.last_updated) AS at FROM newest n JOIN updated u ON u.record = n.pk
      JOIN reference f ON f.record = n.pk
    WHERE f.key IN ${subjectNumbers} AND f.target <> '' GROUP BY f.target ORDER BY at DESC, f.target LIMIT $1::integer)
  SELECT s.id, (SELECT count(*) FROM reference f WHERE f.key IN ${subjectNumbers}
    AND left(f.target, 200) = left(s.id, 200) AND f.target = s.id)
  FROM subjects s ORDER BY s.at DESC, s.id`;

type OfVersions = 'read' | 'readBytes' | 'readForUpdate' | 'readFirstVersion';
type OfRecords = 'severities' | 'count' | 'countExisting' | 'listLatestSubjects';

/** Creates the queries with fixed statements. */
export function createLookups(
  database: Session,
  damage: PostgresDamage,
): Pick<SharedStore, OfVersions | OfRecords> {
  return {
    async read(type, id) {
      const row = await readCurrent(database, type, id);
      return row && damage.reportIfDamaged(type, asText(type, ...row));
    },

    async readBytes(type, id) {
      const row = await readCurrent(database, type, id);
      return row && damage.reportIfDamaged(type, asBytes(type, ...row));
    },

    async readForUpdate(type, id) {
      const [row] = await database.rows({ text: revisionSql, values: [type, id] });
      if (!row) return undefined;
      const [number, lastUpdated, body, storedSum, issues, usedNumber] = row;
      const metadata = { id, version: Number(number), lastUpdated: String(lastUpdated) };
      return {
        currentVersion: damage.reportIfDamaged(
          type,
          asText(type, metadata, [body ?? null, storedSum ?? null]),
        ),
        issues: readExisting(issues).map(issueRow),
        nextVersion: Math.max(metadata.version, Number(usedNumber)) + 1,
      };
    },

    async readFirstVersion() {
      const [[usedNumber] = []] = await database.rows({ text: 'SELECT max(taken) FROM numbering' });
      return Number(usedNumber) + 1;
    },

    async severities(type, ids) {
      const rows = await database.rows({ text: severitySql, values: [type, ids] });
      return rows.map(([id, errors, warnings]) => ({
        id: String(id),
        errors: Number(errors),
        warnings: Number(warnings),
      }));
    },

    async count() {
      const text = 'SELECT type, count(*) FROM record GROUP BY type';
      return byType(await database.rows({ text }));
    },

    async countExisting(type, ids) {
      const text = 'SELECT count(*) FROM record WHERE type = $1 AND id = ANY ($2::text[])';
      const [[records] = []] = await database.rows({ text, values: [type, ids] });
      return Number(records);
    },

    async listLatestSubjects(limit) {
      const rows = await database.rows({ text: subjectSql, values: [limit] });
      return rows.map(([id, records]) => ({ id: String(id), records: Number(records) }));
    },
  };
}

async function readCurrent(
  database: Session,
  type: ResourceType,
  id: string,
): Promise<readonly [VersionMetadata, readonly Value[]] | undefined> {
  const [row] = await database.rows({ text: currentSql, values: [type, id] });
  if (!row) return undefined;
  const [number, lastUpdated, ...text] = row;
  return [{ id, version: Number(number), lastUpdated: String(lastUpdated) }, text];
}
