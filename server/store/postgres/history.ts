import { limits } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { historyColumns, historyFacts, textAt } from '../history-rows.ts';
import { behind, historyPlace } from '../places.ts';
import { every, isOfType, limited, line, sql, type Sql, type Value } from '../sql.ts';
import type { HistoryQuery, HistoryVersion, OrDamaged, SharedStore } from '../store.ts';
import { numbered, type Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import { asText, sizeOf, textColumns } from './texts.ts';

export function historiesIn(
  database: Session,
  damage: PostgresDamage,
): Pick<SharedStore, 'readVersion' | 'history'> {
  async function total(type: ResourceType, query: HistoryQuery): Promise<number> {
    const counting = line('SELECT count(*) FROM version v WHERE', every(matching(type, query)));
    const [[count] = []] = await database.rows(numbered(counting));
    return Number(count);
  }

  return {
    async readVersion(type, id, number) {
      const conditions = every([ofRecord(type, id), sql('v.version = ?', number)]);
      const [row] = await database.rows(
        numbered(line(`SELECT ${historyColumns}, ${textColumns} FROM version v WHERE`, conditions)),
      );
      return row && damage.seenOne(type, versionOf(type, row));
    },

    async history(type, query, limit) {
      const found = await database.rows(numbered(historySql(type, query, limit + 1)));
      const cut = Number(found[0]?.[textAt + 2] ?? 0) > found.length;
      const more = cut || found.length > limit;
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const versions = rows.map((row) => versionOf(type, row));
      return {
        total: more || query.after !== undefined ? await total(type, query) : rows.length,
        versions: damage.seen(type, versions),
        ...sizeOf(rows, textAt),
        more,
        ...(more && last && { next: historyPlace(Number(last[0]), String(last[3])) }),
      };
    },
  };
}

/** Rows `[...columns, body, sum, rows]`, as far as their texts come to what an answer holds. */
function historySql(type: ResourceType, query: HistoryQuery, limit: number): Sql {
  const { id, after } = query;
  const order = id === undefined ? 'v.last_updated DESC, v.pk DESC' : 'v.version DESC';
  return line(
    `SELECT ${historyColumns}, ${textColumns}, v.rows FROM (SELECT v.*, count(*) OVER () AS rows,
       row_number() OVER w AS at, sum(octet_length(v.body)) OVER w AS through FROM (SELECT v.* FROM version v WHERE`,
    every([...matching(type, query), ...behind(after)]),
    `ORDER BY ${order} ${limited(limit)}) v WINDOW w AS (ORDER BY ${order})) v`,
    sql('WHERE v.at = 1 OR v.through <= ? ORDER BY v.at', limits.answer),
  );
}

function ofRecord(type: ResourceType, id: string): Sql {
  return sql(`v.record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`, id);
}

function matching(type: ResourceType, { id, since }: HistoryQuery): Sql[] {
  return [
    id === undefined ? sql(isOfType('v', type)) : ofRecord(type, id),
    ...(since === undefined ? [] : [sql('v.last_updated >= ?', since)]),
  ];
}

function versionOf(type: ResourceType, row: readonly Value[]): OrDamaged<HistoryVersion> {
  return asText(type, historyFacts(row), row.slice(textAt));
}
