import { limits } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { textColumns, type TextForm } from '../checksum.ts';
import { textCheck } from './text-check.ts';
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
import { every, limited, line, sql, type Sql, type Value } from '../sql.ts';
import { behind } from '../places.ts';
import { sqliteDialect } from '../dialect.ts';
import { changedSql, writerHeadOf, writersSql } from '../writer-sql.ts';
import { Statements } from './statements.ts';
import type { WriterHead } from './version-heads.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { HistoryPage, HistoryQuery, HistoryVersion, OrDamaged } from '../store.ts';

function columns(form: TextForm): string {
  return `${historyColumns}, ${textColumns('v', form)}`;
}

/** Answers what was: versions are never changed, so that a place in a history stays one. */
export function recordHistory(database: SqliteDatabase, check = textCheck(database.name)) {
  const statements = new Statements(database);

  function versionOf(type: ResourceType, row: Value[]): OrDamaged<HistoryVersion> {
    const facts = historyFacts(row);
    const content = check(row[textAt], row[textAt + 1], { type, id: facts.id, version: facts.version });
    return Buffer.isBuffer(content) ? { ...facts, text: content.toString() } : { ...facts, fault: content };
  }

  return {
    version(type: ResourceType, id: string, version: number): OrDamaged<HistoryVersion> | undefined {
      const conditions = every([ofRecord(type, id), sql('v.version = ?', version)]);
      const [row] = statements.rows(line(`SELECT ${columns('whole')} FROM version v WHERE`, conditions));
      return row && versionOf(type, row);
    },

    /** The number of all versions that a query asks for. */
    total: (type: ResourceType, query: HistoryQuery): number =>
      statements.number(historyCountSql(type, query, timeOf(query))),

    /** Records that were written since an instant, each counted once. */
    changed: (since: string): number => statements.number(changedSql(since, sqliteDialect)),

    /** Who wrote since an instant in which way. */
    writers: (since: string, limit: number): readonly WriterHead[] =>
      statements.rows(writersSql(since, limit)).map(writerHeadOf),

    /** `count` answers the number of all versions; it is asked where the page is not all. */
    async page(
      type: ResourceType,
      query: HistoryQuery,
      limit: number,
      count: () => number | Promise<number>,
    ): Promise<HistoryPage> {
      const found = statements.rowsWithin((most, form) => historySql(type, query, most, form), {
        ...{ limit: limit + 1, column: textAt, most: limits.answer },
      });
      const { rows, page } = await historyPageOf(found, limit, query, count);
      const versions = statements.made({ ...found, rows }, { column: textAt, key: 0 }, (row) =>
        versionOf(type, row),
      );
      return { ...page, versions, ...(found.largest !== undefined && { largest: found.largest }) };
    },
  };
}

/** The versions of a page. */
export function historySql(
  type: ResourceType,
  query: HistoryQuery,
  limit: number,
  form: TextForm = 'whole',
): Sql {
  const time = timeOf(query);
  return line(
    `SELECT ${columns(form)} FROM version v WHERE`,
    every([...matching(type, query, time), ...behind(query.after, time)]),
    `ORDER BY ${orderOf(query)} ${limited(limit)}`,
  );
}

/** With a plus sign no index serves the comparison: of one record all versions are read by their numbers. */
function timeOf({ id }: HistoryQuery): string {
  return id === undefined ? 'v.last_updated' : '+v.last_updated';
}
