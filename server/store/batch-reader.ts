/** Reads of import batches, the same for every engine. */
import {
  batchStates,
  createResultCounts,
  type DifferenceKind,
  type ImportBatch,
} from '../../core/app/batches.ts';
import { authorshipIn } from '../../core/app/authorship.ts';
import { importForms, importResults, type ImportResult } from '../../core/app/transfer.ts';
import { batchSource, isUrn } from '../../core/fhir/origin.ts';
import { resourceTypes, type ResourceType } from '../../core/fhir/resource.ts';
import { indexedParametersOf, indexKey, keyNumber } from '../../core/fhir/search-parameters.ts';
import { defined } from '../../core/json/defined.ts';
import type { Dialect } from './dialect.ts';
import type { BatchReader } from './import-batches.ts';
import { joinAnd, joinOr, limited, line, sql, type Sql, type Value } from './sql.ts';

const batchColumns = `b.id, b.name, b.form, b.time, b.who, b.person, b.state, b.ended, b.counts, b.undone, b.undone_by,
  b.undone_person, b.undone_reason`;

/** Returns a condition that a line belongs to a batch. */
export function isOfBatch(id: string, column = 'l.batch'): Sql {
  return sql(`${column} = (SELECT b.pk FROM batch b WHERE b.id = ?)`, id);
}

const wroteRecord = `l.result IN ('stored', 'replaced') AND l.record IS NOT NULL`;

/** Returns the condition that the current version of record `r` was new with a batch, so that its undo removes it. */
function isRemovable(id: string): Sql {
  return line(
    `EXISTS (SELECT 1 FROM batch_line l WHERE l.record = r.pk AND l.version = r.version AND l.previous IS NULL
       AND l.result = 'stored' AND`,
    isOfBatch(id),
    ')',
  );
}

/** Keys of all index rows with references to supporting resources. */
const referenceKeys = resourceTypes.flatMap((type) =>
  indexedParametersOf(type)
    .filter(({ type: valueType }) => valueType === 'reference')
    .map((parameter) => keyNumber(indexKey(type, parameter))),
);

/** Creates the reads of every engine. `query` runs a SELECT. */
export function createBatchReader(
  query: (statement: Sql) => Promise<readonly (readonly Value[])[]>,
  { recordSql, equals }: Pick<Dialect, 'recordSql' | 'equals'>,
): BatchReader & { readonly countResults: (id: string) => Promise<Record<ImportResult, number>> } {
  async function countResults(id: string): Promise<Record<ImportResult, number>> {
    const rows = await query(
      line('SELECT l.result, count(*) FROM batch_line l WHERE', isOfBatch(id), 'GROUP BY l.result'),
    );
    return createResultCounts(new Map(rows.map(([result, count]) => [String(result), Number(count)])));
  }

  async function toBatch(row: readonly Value[]): Promise<ImportBatch> {
    const [id, name, form, time, author, person, state, ended, counts, ...undone] = row;
    return {
      id: String(id),
      name: String(name),
      form: importForms.find((candidate) => candidate === form) ?? 'http',
      time: instantOf(time),
      ...authorshipIn({ author: String(author), person: textOf(person) }),
      state: batchStates.find((candidate) => candidate === state) ?? 'stopped',
      ...(typeof ended === 'number' && { ended: instantOf(ended) }),
      counts: typeof counts === 'string' ? storedCounts(counts) : await countResults(String(id)),
      ...defined({ undone: toUndone(undone) }),
    };
  }

  return {
    countResults,

    async list(after, limit) {
      const cursor = after ? sql('(b.time, b.id) < (?, ?)', after.time, after.id) : sql('TRUE');
      const rows = await query(
        line(
          `SELECT ${batchColumns} FROM batch b WHERE`,
          cursor,
          `ORDER BY b.time DESC, b.id DESC ${limited(limit)}`,
        ),
      );
      return Promise.all(rows.map(toBatch));
    },

    async read(id) {
      const [row] = await query(sql(`SELECT ${batchColumns} FROM batch b WHERE b.id = ?`, id));
      return row && toBatch(row);
    },

    async readLines(id, { after, result }, limit) {
      const conditions = joinAnd([
        isOfBatch(id),
        sql('l.pk > ?', after),
        ...(result === undefined ? [] : [sql('l.result = ?', result)]),
      ]);
      const rows = await query(
        line(
          `SELECT l.pk, l.result, l.detail, coalesce(l.type, r.type, m.type), coalesce(l.id, r.id, m.id)
           FROM batch_line l LEFT JOIN record r ON r.pk = l.record LEFT JOIN removed m ON m.record = l.record WHERE`,
          conditions,
          `ORDER BY l.pk ${limited(limit)}`,
        ),
      );
      return rows.map(([position, lineResult, detail, type, recordId]) => ({
        position: Number(position),
        result: resultOf(lineResult),
        detail: String(detail),
        ...(typeof type === 'string' && { name: { type, id: String(recordId) } }),
      }));
    },

    async countRecords(id) {
      const [row = []] = await query(
        line(
          `SELECT count(*) FILTER (WHERE r.version = l.version), count(*) FILTER (WHERE r.version <> l.version),
             count(*) FILTER (WHERE m.record IS NOT NULL),
             count(*) FILTER (WHERE EXISTS (SELECT 1 FROM issue i WHERE i.record = r.pk))
           FROM batch_line l LEFT JOIN record r ON r.pk = l.record LEFT JOIN removed m ON m.record = l.record
           WHERE ${wroteRecord} AND`,
          isOfBatch(id),
        ),
      );
      const [asImported = 0, changed = 0, removed = 0, withIssues = 0] = row.map(Number);
      return { asImported, changed, removed, withIssues };
    },

    async compare(id, other, { kind, after }, limit) {
      const pairs = pairsOf(id, other);
      const countRows = await query(line('SELECT p.kind, count(*) FROM (', pairs, ') p GROUP BY p.kind'));
      const counts = new Map(countRows.map(([name, count]) => [String(name), Number(count)]));
      const countOf = (name: DifferenceKind | 'same') => counts.get(name) ?? 0;
      const rows = await query(
        line(
          `SELECT p.kind, p.address, coalesce(r.type, m.type), coalesce(r.id, m.id), coalesce(s.type, t.type), coalesce(s.id, t.id)
           FROM (`,
          pairs,
          `) p LEFT JOIN record r ON r.pk = p.record LEFT JOIN removed m ON m.record = p.record
             LEFT JOIN record s ON s.pk = p.other LEFT JOIN removed t ON t.record = p.other WHERE`,
          joinAnd([
            sql('p.address > ?', after),
            kind === undefined ? sql("p.kind <> 'same'") : sql('p.kind = ?', kind),
          ]),
          `ORDER BY p.address ${limited(limit)}`,
        ),
      );
      return {
        counts: {
          new: countOf('new'),
          gone: countOf('gone'),
          different: countOf('different'),
          same: countOf('same'),
        },
        records: rows.map(([name, address, type, recordId, otherType, otherId]) => ({
          kind: String(name) as DifferenceKind,
          address: String(address),
          ...(typeof type === 'string' && { record: `${type}/${String(recordId)}` }),
          ...(typeof otherType === 'string' && { other: `${otherType}/${String(otherId)}` }),
        })),
      };
    },

    async listVersions(id, after, limit) {
      const rows = await query(
        line(
          `SELECT l.pk, coalesce(r.type, m.type), coalesce(r.id, m.id), l.version, l.previous, r.version
           FROM batch_line l LEFT JOIN record r ON r.pk = l.record LEFT JOIN removed m ON m.record = l.record
           WHERE ${wroteRecord} AND coalesce(r.pk, m.record) IS NOT NULL AND`,
          joinAnd([isOfBatch(id), sql('l.pk > ?', after)]),
          `ORDER BY l.pk ${limited(limit)}`,
        ),
      );
      return rows.map(([position, type, recordId, version, previous, current]) => ({
        position: Number(position),
        type: String(type) as ResourceType,
        id: String(recordId),
        version: Number(version),
        ...(typeof previous === 'number' && { previous }),
        ...(typeof current === 'number' && { current }),
      }));
    },

    async listResources(id, before, limit) {
      const rows = await query(
        line(
          `SELECT l.pk, l.type, l.id, l.source, l.result, CASE WHEN l.former_body IS NULL THEN 0 ELSE 1 END, c.full_url,
             c.body
           FROM batch_line l LEFT JOIN companion c ON c.type = l.type AND c.id = l.id AND c.source = l.source`,
          sql('AND c.batch = ?', batchSource(id)),
          "WHERE l.result IN ('kept', 'replaced') AND l.type IS NOT NULL AND",
          joinAnd([isOfBatch(id), sql('l.pk < ?', before)]),
          `ORDER BY l.pk DESC ${limited(limit)}`,
        ),
      );
      return rows.map(([position, type, resourceId, source, result, hasFormer, fullUrl, text]) => ({
        position: Number(position),
        type: String(type),
        id: String(resourceId),
        source: String(source),
        result: resultOf(result),
        hasFormer: Number(hasFormer) === 1,
        ...(typeof fullUrl === 'string' && { fullUrl }),
        ...(text !== null && text !== undefined && { text: String(text) }),
      }));
    },

    async listReferences(id, { type, ids }, limit) {
      const isOneOf = (column: string) => joinOr(ids.map((candidate) => equals(column, candidate)));
      const byRecords = line(
        `SELECT r.type, r.id, f.target, f.target_type, f.target_base FROM reference f
         JOIN record r ON r.pk = ${recordSql('f')} WHERE`,
        joinAnd([
          sql(`f.key IN (${referenceKeys.join(', ')})`),
          isOneOf('f.target'),
          sql('coalesce(f.target_type, ?) = ?', type, type),
        ]),
        'AND NOT',
        isRemovable(id),
        limited(limit),
      );
      const byResources = line(
        `SELECT c.type, c.id, s.id, s.type, c.source FROM companion_subject s JOIN companion c ON c.pk = s.companion
         WHERE`,
        joinAnd([
          isOneOf('s.id'),
          sql('coalesce(s.type, ?) = ?', type, type),
          sql('c.batch <> ?', batchSource(id)),
        ]),
        limited(limit),
      );
      const [recordRows, resourceRows] = [await query(byRecords), await query(byResources)];
      return [
        ...recordRows.map(([fromType, fromId, target, targetType, base]) => ({
          from: { type: String(fromType), id: String(fromId) },
          reference: referenceOf(String(target), textOf(targetType) ?? type, textOf(base)),
        })),
        ...resourceRows.map(([fromType, fromId, target, targetType, source]) => ({
          from: { type: String(fromType), id: String(fromId) },
          reference: referenceOf(String(target), textOf(targetType) ?? type, undefined),
          source: String(source),
        })),
      ];
    },
  };
}

/** Returns the literal reference of an index row. */
function referenceOf(id: string, type: string, base: string | undefined): string {
  if (base === undefined || base === '') return `${type}/${id}`;
  return isUrn(base) ? `${base}:${id}` : `${base}/${type}/${id}`;
}

/** Returns rows `(kind, address, record, other)` of the addresses in one of two batches. Each address counts once. */
function pairsOf(id: string, other: string): Sql {
  const addresses = (batch: string) =>
    line(
      `(SELECT l.address, min(l.content) AS content, max(l.record) AS record FROM batch_line l
        WHERE l.address IS NOT NULL AND`,
      isOfBatch(batch),
      'GROUP BY l.address)',
    );
  return line(
    `SELECT CASE WHEN o.address IS NULL THEN 'new' WHEN o.content = n.content THEN 'same' ELSE 'different' END AS kind,
       n.address, n.record, o.record AS other FROM`,
    addresses(id),
    'n LEFT JOIN',
    addresses(other),
    `o ON o.address = n.address
     UNION ALL SELECT 'gone', o.address, NULL, o.record FROM`,
    addresses(other),
    'o LEFT JOIN',
    addresses(id),
    'n ON n.address = o.address WHERE n.address IS NULL',
  );
}

function instantOf(time: Value | undefined): string {
  return new Date(Number(time)).toISOString();
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function resultOf(result: Value | undefined): ImportResult {
  return importResults.find((candidate) => candidate === result) ?? 'skipped';
}

function storedCounts(counts: string): Record<ImportResult, number> {
  return createResultCounts(new Map(Object.entries(JSON.parse(counts) as Record<string, number>)));
}

function toUndone([time, author, person, reason]: readonly (Value | undefined)[]): ImportBatch['undone'] {
  if (typeof time !== 'number') return undefined;
  return {
    time: instantOf(time),
    ...authorshipIn({ author: String(author), person: textOf(person), reason: textOf(reason) }),
  };
}
