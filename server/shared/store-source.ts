import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import { readAddress } from './postgres/address.ts';
import { Postgres } from './postgres/connection.ts';
import type { Value } from '../store/sql.ts';
import {
  batchLimits,
  IncompatibleIndexError,
  isPersonSql,
  type SourceRow,
  type TextSource,
} from '../find/text-source.ts';

/**
 * A position among the writes of a shared store. `seen` is a snapshot that decides which transactions are known,
 * because sequence numbers are assigned before the commit and a slow writer may commit after a faster one. `store` and
 * `mark` identify the records.
 */
const Place = v.object({
  store: v.string(),
  mark: v.string(),
  /** A snapshot in the format of `pg_current_snapshot`. */
  seen: v.string(),
  /**
   * Progress among many writes: transactions and versions up to here are read. `then` is the snapshot after the last
   * one.
   */
  through: v.exactOptional(v.object({ xid: v.string(), pk: v.number(), then: v.string() })),
});
type Place = Shape<typeof Place>;

/** SQL that identifies cluster, database and timeline. A promoted standby assigns sequence numbers again. */
const storeSql = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

/** SQL of the latest audit entry. Audit entries are never removed, so a restored database lacks it. */
const markSql = (condition: string) =>
  `coalesce((SELECT concat_ws(' ', place, node, seq, time) FROM audit ${condition}), '')`;
const standSql = `SELECT ${storeSql} AS store, ${markSql('ORDER BY place DESC LIMIT 1')} AS mark,
  pg_current_snapshot()::text AS seen`;

/** Builds the query for the next versions that match a condition, limited to one batch. */
function buildBatchQuery(condition: string, order: readonly string[]): string {
  const orderBy = (row: string) => `ORDER BY ${order.map((column) => `${row}.${column}`).join(', ')}`;
  // The outer join lets the index of the order drive the query, so that the limit ends it.
  return `SELECT t.pk, t.record, t.type, t.id, t.body, t.xid::text, t.at, t.source FROM (
    SELECT c.*, row_number() OVER w AS at, sum(coalesce(octet_length(c.body), 0)) OVER w AS through
    FROM (SELECT v.xid, v.pk, v.record, v.type, v.id, coalesce(o.source, '') AS source,
        CASE WHEN r.current = v.pk THEN v.body END AS body
      FROM version v LEFT JOIN record r ON r.pk = v.record LEFT JOIN origin o ON o.type = v.type AND o.id = v.id WHERE ${condition} ${orderBy('v')} LIMIT ${batchLimits.rows}) c
    WINDOW w AS (${orderBy('c')})) t WHERE t.at = 1 OR t.through <= ${batchLimits.characters} ORDER BY t.at`;
}

const unseen = 'NOT pg_visible_in_snapshot(v.xid, $1::pg_snapshot)';
const pendingCondition = `v.xid >= $2::xid8 AND (v.xid > $2::xid8 OR v.pk > $3::bigint) AND ${unseen}`;

const nextSql = `SELECT s.*, s.store = $4 AND $5 = ${markSql("WHERE place = nullif(split_part($5, ' ', 1), '')::bigint")}
    AND pg_snapshot_xmax(s.seen::pg_snapshot) >= pg_snapshot_xmax($1::pg_snapshot), p.*
  FROM (${standSql}) s LEFT JOIN LATERAL (${buildBatchQuery(pendingCondition, ['xid', 'pk'])}) p ON true ORDER BY p.at`;

const beforeSql = buildBatchQuery('v.pk <= $1::bigint', ['pk DESC']);

const peopleSql = `SELECT s.last, s.count, p.* FROM
    (SELECT (SELECT coalesce(max(pk), 0) FROM companion) AS last,
      (SELECT count(*) FROM companion WHERE ${isPersonSql}) AS count) s
  LEFT JOIN LATERAL (SELECT pk, id, source, body FROM companion WHERE pk > $1::bigint AND ${isPersonSql}
    ORDER BY pk LIMIT ${batchLimits.rows}) p ON true ORDER BY p.pk`;

/** Maximum number of counted versions. */
const maxCounted = 100_000;

const countPendingSql = `SELECT count(*) FROM (SELECT 1 FROM version v
  WHERE ${pendingCondition} LIMIT ${maxCounted}) c`;

/** Reads the records of a shared store over a separate connection. */
export function storeSource(address: string): TextSource {
  const database = new Postgres(readAddress(address), 1);
  let connecting: Promise<void> | undefined;

  async function rows(text: string, values: readonly Value[]): Promise<Value[][]> {
    await (connecting ??= database.find());
    return database.rows({ text, values });
  }

  return {
    async begin() {
      const text = `SELECT s.*, (SELECT coalesce(max(pk), 0) FROM version) FROM (${standSql}) s`;
      const [[store, mark, snapshot, top] = []] = await rows(text, []);
      return {
        place: serializePosition({ store: String(store), mark: String(mark), seen: String(snapshot) }),
        filled: Number(top),
      };
    },

    async next(text) {
      const place = parsePosition(text);
      const { seen: seenSnapshot, through } = place;
      const answer = await rows(nextSql, [...toPendingParameters(place), place.store, place.mark]);
      const [store, mark, now, isSameStore] = answer[0] ?? [];
      if (!isSameStore) throw new IncompatibleIndexError('The index is of other records.');
      const pieces = answer.filter((row) => row[4] !== null);
      const lastRow = pieces.at(-1);
      const identity = { store: String(store), mark: String(mark) };
      const nextSnapshot = through?.then ?? String(now);
      return {
        rows: pieces.map(rowOf),
        place: serializePosition(
          lastRow
            ? {
                ...identity,
                seen: seenSnapshot,
                through: { xid: String(lastRow[9]), pk: Number(lastRow[4]), then: nextSnapshot },
              }
            : { ...identity, seen: nextSnapshot },
        ),
      };
    },

    before: async (maxKey) =>
      (await rows(beforeSql, [maxKey])).map((row) => rowOf([...noStateColumns, ...row])),

    async people(afterKey) {
      const answer = await rows(peopleSql, [afterKey]);
      const [lastKey, count] = answer[0] ?? [];
      const people = answer.filter((row) => row[2] !== null);
      return {
        rows: people.map(([, , pk, id, source, body]) => ({
          pk: Number(pk),
          id: String(id),
          source: String(source),
          body: String(body),
        })),
        lastKey: Number(lastKey),
        count: Number(count),
      };
    },

    personKeys: async () =>
      (await rows(`SELECT pk FROM companion WHERE ${isPersonSql}`, [])).map(([pk]) => Number(pk)),

    async countPending(text) {
      const [[count] = []] = await rows(countPendingSql, toPendingParameters(parsePosition(text)));
      return Number(count);
    },

    // Sequence numbers are never used again.
    placeAfterErasure: (place) => place,
    close: () => database.close(),
  };
}

const noStateColumns: Value[] = [null, null, null, null];

function rowOf([, , , , pk, record, type, id, body, , , source]: readonly Value[]): SourceRow {
  return {
    pk: Number(pk),
    record: Number(record),
    type: String(type),
    id: String(id),
    source: String(source),
    body: typeof body === 'string' ? body : null,
  };
}

/**
 * Returns the parameters of the pending condition. All transactions before the first number of the snapshot are known.
 */
function toPendingParameters({ seen: snapshot, through }: Place): Value[] {
  return [snapshot, through?.xid ?? snapshot.split(':', 1)[0] ?? '', through?.pk ?? 0];
}

function parsePosition(text: string): Place {
  const place = parseAs(Place, text);
  if (!place) throw new IncompatibleIndexError('The index has no valid position in these records.');
  return place;
}

function serializePosition(place: Place): string {
  return JSON.stringify(place);
}
