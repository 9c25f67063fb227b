import { limits } from '../../../core/api/contract.ts';
import { authorshipIn } from '../../../core/app/authorship.ts';
import type { WriteOperation } from '../../../core/app/history.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { behind, historyPlace } from '../places.ts';
import { every, isOfType, limited, line, sql, type Sql, type Value } from '../sql.ts';
import type { HistoryPage, HistoryQuery, HistoryVersion, OrDamaged } from '../store.ts';
import { numbered, type Session } from './connection.ts';
import { asText, sizeOf, textColumns } from './texts.ts';

const facts = 'v.pk, v.id, v.version, v.last_updated, v.operation, v.author, v.person, v.reason';

function ofRecord(type: ResourceType, id: string): Sql {
  return sql(`v.record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`, id);
}

/** One version of a record by its number; undefined where there is none. */
export async function version(
  database: Session,
  type: ResourceType,
  id: string,
  number: number,
): Promise<OrDamaged<HistoryVersion> | undefined> {
  const conditions = every([ofRecord(type, id), sql('v.version = ?', number)]);
  const rows = await database.rows(
    numbered(line(`SELECT ${facts}, ${textColumns} FROM version v WHERE`, conditions)),
  );
  return rows[0] && versionOf(type, rows[0]);
}

/** Versions, newest first: those that the query asks for. */
export async function history(
  database: Session,
  type: ResourceType,
  query: HistoryQuery,
  limit: number,
): Promise<HistoryPage> {
  const found = await database.rows(numbered(historySql(type, query, limit + 1)));
  const cut = Number(found[0]?.[10] ?? 0) > found.length;
  const more = cut || found.length > limit;
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    total: more || query.after !== undefined ? await total(database, type, query) : rows.length,
    versions: rows.map((row) => versionOf(type, row)),
    ...sizeOf(rows, 8),
    more,
    ...(more && last && { next: historyPlace(Number(last[0]), String(last[3])) }),
  };
}

async function total(database: Session, type: ResourceType, query: HistoryQuery): Promise<number> {
  const counting = line('SELECT count(*) FROM version v WHERE', every(matching(type, query)));
  const [[count] = []] = await database.rows(numbered(counting));
  return Number(count);
}

/** Rows `[...facts, body, sum, rows]`, as far as their texts come to what an answer holds. */
function historySql(type: ResourceType, query: HistoryQuery, limit: number): Sql {
  const { id, after } = query;
  const order = id === undefined ? 'v.last_updated DESC, v.pk DESC' : 'v.version DESC';
  return line(
    `SELECT ${facts}, ${textColumns}, v.rows FROM (SELECT v.*, count(*) OVER () AS rows, row_number() OVER w AS at,
       sum(octet_length(v.body)) OVER w AS through FROM (SELECT v.* FROM version v WHERE`,
    every([...matching(type, query), ...behind(after)]),
    `ORDER BY ${order} ${limited(limit)}) v WINDOW w AS (ORDER BY ${order})) v`,
    sql('WHERE v.at = 1 OR v.through <= ? ORDER BY v.at', limits.answer),
  );
}

function matching(type: ResourceType, { id, since }: HistoryQuery): Sql[] {
  return [
    id === undefined ? sql(isOfType('v', type)) : ofRecord(type, id),
    ...(since === undefined ? [] : [sql('v.last_updated >= ?', since)]),
  ];
}

function versionOf(type: ResourceType, row: readonly Value[]): OrDamaged<HistoryVersion> {
  const [, id, number, lastUpdated, operation, author, person, reason, ...text] = row;
  const known = {
    ...{ id: String(id), version: Number(number), lastUpdated: String(lastUpdated) },
    operation: String(operation) as WriteOperation,
    ...authorshipIn({ author: String(author), person: textOf(person), reason: textOf(reason) }),
  };
  return asText(type, known, text);
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
