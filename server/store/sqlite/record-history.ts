import { limits } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { textColumns, type TextForm } from '../checksum.ts';
import { textCheck } from './text-check.ts';
import {
  historyColumns,
  historyCountSql,
  historyFacts,
  historyPageOf,
  historyConditions,
  ofRecord,
  orderOf,
  textAt,
} from '../history-rows.ts';
import { joinAnd, limited, line, sql, type Sql, type Value } from '../sql.ts';
import { buildAfterCondition } from '../row-cursors.ts';
import { sqliteDialect } from '../../sqlite/dialect.ts';
import { changedSql, writerHeadOf, writersSql } from '../writer-sql.ts';
import { Statements } from './statements.ts';
import type { SqliteDatabase } from '../../sqlite/sqlite.ts';
import type { HistoryPage, HistoryQuery, HistoryVersion, OrDamaged, WriterHead } from '../store.ts';

function columns(form: TextForm): string {
  return `${historyColumns}, ${textColumns('v', form)}`;
}

/** Reads histories. Versions never change, so a position in a history stays valid. */
export function recordHistory(database: SqliteDatabase, check = textCheck(database.name)) {
  const statements = new Statements(database);

  function versionOf(type: ResourceType, row: Value[]): OrDamaged<HistoryVersion> {
    const metadata = historyFacts(row);
    const content = check(row[textAt], row[textAt + 1], { type, id: metadata.id, version: metadata.version });
    return Buffer.isBuffer(content)
      ? { ...metadata, text: content.toString() }
      : { ...metadata, fault: content };
  }

  return {
    version(type: ResourceType, id: string, version: number): OrDamaged<HistoryVersion> | undefined {
      const conditions = joinAnd([ofRecord(type, id), sql('v.version = ?', version)]);
      const [row] = statements.rows(line(`SELECT ${columns('whole')} FROM version v WHERE`, conditions));
      return row && versionOf(type, row);
    },

    /** Runs a SELECT over lines of imports. */
    select: (statement: Sql): Value[][] => statements.rows(statement),

    total: (type: ResourceType, query: HistoryQuery): number =>
      statements.number(historyCountSql(type, query, timeOf(query))),

    /** Counts records written since an instant, each once. */
    changed: (since: string): number => statements.number(changedSql(since, sqliteDialect)),

    /** Lists authors and operations since an instant. */
    writers: (since: string, limit: number): readonly WriterHead[] =>
      statements.rows(writersSql(since, limit)).map(writerHeadOf),

    /** Returns a page. `count` returns the number of versions. It is called if the page does not contain all. */
    async page(
      type: ResourceType,
      query: HistoryQuery,
      limit: number,
      count: () => number | Promise<number>,
    ): Promise<HistoryPage> {
      const result = statements.rowsWithin((maxRows, form) => historySql(type, query, maxRows, form), {
        limit: limit + 1,
        column: textAt,
        maxBytes: limits.answer,
      });
      const { rows, page } = await historyPageOf(result, limit, query, count);
      const versions = statements.convertRows({ ...result, rows }, { column: textAt, key: 0 }, (row) =>
        versionOf(type, row),
      );
      return { ...page, versions, ...(result.largest !== undefined && { largest: result.largest }) };
    },
  };
}

/** Selects the versions of a page. */
export function historySql(
  type: ResourceType,
  query: HistoryQuery,
  limit: number,
  form: TextForm = 'whole',
): Sql {
  const time = timeOf(query);
  return line(
    `SELECT ${columns(form)} FROM version v WHERE`,
    joinAnd([...historyConditions(type, query, time), ...buildAfterCondition(query.after, time)]),
    `ORDER BY ${orderOf(query)} ${limited(limit)}`,
  );
}

/** The plus sign prevents use of an index. All versions of one record are read by their keys. */
function timeOf({ id }: HistoryQuery): string {
  return id === undefined ? 'v.last_updated' : '+v.last_updated';
}
