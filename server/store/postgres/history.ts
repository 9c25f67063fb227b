import { limits } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import {
  historyColumns,
  historyCountSql,
  historyFacts,
  historyPageOf,
  matching,
  ofRecord,
  orderOf,
  textAt,
} from '../history-rows.ts';
import { behind } from '../places.ts';
import { every, limited, line, sql, type Sql, type Value } from '../sql.ts';
import type { HistoryQuery, HistoryVersion, OrDamaged, SharedStore } from '../store.ts';
import { numbered, type Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import { asText, sizeOf, textColumns } from './texts.ts';

export function historiesIn(
  database: Session,
  damage: PostgresDamage,
): Pick<SharedStore, 'readVersion' | 'history'> {
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
      const { rows, page } = await historyPageOf({ rows: found, cut }, limit, query, async () => {
        const [[count] = []] = await database.rows(numbered(historyCountSql(type, query)));
        return Number(count);
      });
      const versions = rows.map((row) => versionOf(type, row));
      return { ...page, versions: damage.seen(type, versions), ...sizeOf(rows, textAt) };
    },
  };
}

/** Rows `[...columns, body, sum, rows]`, as far as their texts come to what an answer holds. */
function historySql(type: ResourceType, query: HistoryQuery, limit: number): Sql {
  const order = orderOf(query);
  return line(
    `SELECT ${historyColumns}, ${textColumns}, v.rows FROM (SELECT v.*, count(*) OVER () AS rows,
       row_number() OVER w AS at, sum(octet_length(v.body)) OVER w AS through FROM (SELECT v.* FROM version v WHERE`,
    every([...matching(type, query), ...behind(query.after)]),
    `ORDER BY ${order} ${limited(limit)}) v WINDOW w AS (ORDER BY ${order})) v`,
    sql('WHERE v.at = 1 OR v.through <= ? ORDER BY v.at', limits.answer),
  );
}

function versionOf(type: ResourceType, row: readonly Value[]): OrDamaged<HistoryVersion> {
  return asText(type, historyFacts(row), row.slice(textAt));
}
