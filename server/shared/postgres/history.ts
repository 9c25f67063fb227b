import { limits } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import {
  historyColumns,
  historyCountSql,
  historyFacts,
  historyPageOf,
  historyConditions,
  ofRecord,
  orderOf,
  textAt,
} from '../../store/history-rows.ts';
import { buildAfterCondition } from '../../store/row-cursors.ts';
import { joinAnd, limited, line, sql, type Sql, type Value } from '../../store/sql.ts';
import type { HistoryQuery, HistoryVersion, OrDamaged, SharedStore } from '../../store/store.ts';
import { numbered, type Session } from './connection.ts';
import type { PostgresDamage } from './damage.ts';
import { asText, sizeOf, textColumns } from './texts.ts';

export function createHistoryQueries(
  database: Session,
  damage: PostgresDamage,
): Pick<SharedStore, 'readVersion' | 'history'> {
  return {
    async readVersion(type, id, number) {
      const conditions = joinAnd([ofRecord(type, id), sql('v.version = ?', number)]);
      const [row] = await database.rows(
        numbered(line(`SELECT ${historyColumns}, ${textColumns} FROM version v WHERE`, conditions)),
      );
      return row && damage.reportIfDamaged(type, versionOf(type, row));
    },

    async history(type, query, limit) {
      const foundRows = await database.rows(numbered(historySql(type, query, limit + 1)));
      const isCut = Number(foundRows[0]?.[textAt + 2] ?? 0) > foundRows.length;
      const { rows, page } = await historyPageOf({ rows: foundRows, isCut }, limit, query, async () => {
        const [[count] = []] = await database.rows(numbered(historyCountSql(type, query)));
        return Number(count);
      });
      const versions = rows.map((row) => versionOf(type, row));
      return { ...page, versions: damage.reportDamaged(type, versions), ...sizeOf(rows, textAt) };
    },
  };
}

/** Selects rows `[...columns, body, sum, rows]`, up to the size limit of a response. */
function historySql(type: ResourceType, query: HistoryQuery, limit: number): Sql {
  const order = orderOf(query);
  return line(
    `SELECT ${historyColumns}, ${textColumns}, v.rows FROM (SELECT v.*, count(*) OVER () AS rows,
       row_number() OVER w AS at, sum(octet_length(v.body)) OVER w AS through FROM (SELECT v.* FROM version v WHERE`,
    joinAnd([...historyConditions(type, query), ...buildAfterCondition(query.after)]),
    `ORDER BY ${order} ${limited(limit)}) v WINDOW w AS (ORDER BY ${order})) v`,
    sql('WHERE v.at = 1 OR v.through <= ? ORDER BY v.at', limits.answer),
  );
}

function versionOf(type: ResourceType, row: readonly Value[]): OrDamaged<HistoryVersion> {
  return asText(type, historyFacts(row), row.slice(textAt));
}
