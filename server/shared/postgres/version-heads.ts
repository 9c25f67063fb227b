import { authorshipIn } from '../../../core/app/authorship.ts';
import type { WriteOperation } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import type { Value } from '../../store/sql.ts';
import type { PlacedVersion, VersionHeads } from '../../store/store.ts';
import { changedSql, writerHeadOf, writersSql } from '../../store/writer-sql.ts';
import { numbered, type Session } from './connection.ts';
import { setBySet } from './dialect.ts';

const columns = 'v.pk, v.type, v.id, v.version, v.last_updated, v.operation, v.author, v.person, v.reason';

const latestSql = `SELECT ${columns} FROM (SELECT * FROM version ORDER BY pk DESC LIMIT $1::integer) v
  WHERE v.last_updated >= $2 ORDER BY v.pk DESC`;
const allSql = `SELECT ${columns} FROM version v WHERE v.pk > $1::bigint ORDER BY v.pk LIMIT $2::integer`;
const recordSql = `SELECT ${columns} FROM record r JOIN version v ON v.record = r.pk
  WHERE r.type = $3 AND r.id = $4 AND v.pk > $1::bigint ORDER BY v.version LIMIT $2::integer`;

/** Creates the queries for versions without texts. */
export function createVersionSummaries(database: Session): VersionHeads {
  const querySummaries = async (text: string, ...values: (string | number)[]) =>
    (await database.rows({ text, values })).map(toSummary);
  return {
    newest: (since, limit) => querySummaries(latestSql, limit, since),
    async countChanged(since) {
      const [[count] = []] = await database.rows(numbered(changedSql(since, setBySet)));
      return Number(count);
    },
    async writers(since, limit) {
      return (await database.rows(numbered(writersSql(since, limit)))).map(writerHeadOf);
    },
    listAuthorship: (record, after, limit) =>
      record
        ? querySummaries(recordSql, after, limit, record.type, record.id)
        : querySummaries(allSql, after, limit),
  };
}

function toSummary([
  place,
  type,
  id,
  version,
  lastUpdated,
  operation,
  ...authorship
]: readonly Value[]): PlacedVersion {
  const [author, person = null, reason = null] = authorship as (string | null)[];
  return {
    place: Number(place),
    type: String(type) as ResourceType,
    id: String(id),
    version: Number(version),
    lastUpdated: String(lastUpdated),
    operation: String(operation) as WriteOperation,
    ...authorshipIn({ author: String(author), person, reason }),
  };
}
