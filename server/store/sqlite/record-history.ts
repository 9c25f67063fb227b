import { limits } from '../../../core/api/contract.ts';
import type { ResourceType } from '../../../core/fhir/resource.ts';
import { textColumns, type TextForm } from '../checksum.ts';
import { textCheck, type TextCheck } from './text-check.ts';
import { historyColumns, historyFacts, textAt } from '../history-rows.ts';
import { every, isOfType, limited, line, sql, type Sql, type Value } from '../sql.ts';
import { behind, historyPlace } from '../places.ts';
import { Statements } from './statements.ts';
import type { SqliteDatabase } from './sqlite.ts';
import type { HistoryPage, HistoryQuery, HistoryVersion, OrDamaged } from '../store.ts';

function columns(form: TextForm): string {
  return `${historyColumns}, ${textColumns('v', form)}`;
}

/** The versions of a record; the parameter is its id. */
function ofRecord(type: ResourceType): string {
  return `v.record = (SELECT r.pk FROM record r WHERE ${isOfType('r', type)} AND r.id = ?)`;
}

/** Answers what was: versions are never changed, so that a place in a history stays one. */
export class RecordHistory {
  private readonly statements: Statements;
  private readonly check: TextCheck;

  constructor(database: SqliteDatabase, check = textCheck(database.name)) {
    this.check = check;
    this.statements = new Statements(database);
  }

  version(type: ResourceType, id: string, version: number): OrDamaged<HistoryVersion> | undefined {
    const [row] = this.statements.rows(
      sql(`SELECT ${columns('whole')} FROM version v WHERE ${ofRecord(type)} AND v.version = ?`, id, version),
    );
    return row && versionOf(type, row, this.check);
  }

  /** The number of all versions that a query asks for. */
  total(type: ResourceType, query: HistoryQuery): number {
    return this.statements.number(historyCountSql(type, query));
  }

  /** `count` answers {@link total}; it is asked where the page is not all. */
  async page(
    type: ResourceType,
    query: HistoryQuery,
    limit: number,
    count: () => number | Promise<number>,
  ): Promise<HistoryPage> {
    const found = this.statements.rowsWithin((most, form) => historySql(type, query, most, form), {
      ...{ limit: limit + 1, column: textAt, most: limits.answer },
    });
    const more = found.cut || found.rows.length > limit;
    const rows = found.rows.slice(0, limit);
    const last = rows.at(-1);
    return {
      total: more || query.after ? await count() : rows.length,
      versions: this.statements.made({ ...found, rows }, { column: textAt, key: 0 }, (row) =>
        versionOf(type, row, this.check),
      ),
      ...(found.largest !== undefined && { largest: found.largest }),
      more,
      ...(more && last && { next: historyPlace(Number(last[0]), String(last[3])) }),
    };
  }
}

/** The versions of a page; those of one record are in the order of their numbers, which is that of their times. */
export function historySql(
  type: ResourceType,
  query: HistoryQuery,
  limit: number,
  form: TextForm = 'whole',
): Sql {
  const { id, after } = query;
  const order = id === undefined ? 'v.last_updated DESC, v.pk DESC' : 'v.version DESC';
  return line(
    `SELECT ${columns(form)} FROM version v WHERE`,
    every([...matching(type, query), ...behind(after, time(query))]),
    `ORDER BY ${order} ${limited(limit)}`,
  );
}

export function historyCountSql(type: ResourceType, query: HistoryQuery): Sql {
  return line('SELECT count(*) FROM version v WHERE', every(matching(type, query)));
}

/** With a plus sign no index serves the comparison: of one record all versions are read by their numbers. */
function time({ id }: HistoryQuery): string {
  return id === undefined ? 'v.last_updated' : '+v.last_updated';
}

function matching(type: ResourceType, query: HistoryQuery): Sql[] {
  const { id, since } = query;
  return [
    id === undefined ? sql(isOfType('v', type)) : sql(ofRecord(type), id),
    ...(since === undefined ? [] : [sql(`${time(query)} >= ?`, since)]),
  ];
}

function versionOf(type: ResourceType, row: Value[], check: TextCheck): OrDamaged<HistoryVersion> {
  const facts = historyFacts(row);
  const content = check(row[textAt], row[textAt + 1], { type, id: facts.id, version: facts.version });
  return Buffer.isBuffer(content) ? { ...facts, text: content.toString() } : { ...facts, fault: content };
}
