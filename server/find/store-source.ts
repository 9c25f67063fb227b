import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import { readAddress } from '../store/postgres/address.ts';
import { Postgres } from '../store/postgres/connection.ts';
import type { Value } from '../store/sql.ts';
import { batch, UnfitError, type SourceRow, type TextSource } from './text-source.ts';

/**
 * A place among the writes of a shared store. What a transaction wrote is known where `seen` saw it, as numbers are given out
 * before a commit: a slow writer's come in behind a faster one's. `store` and `mark` say which records they are.
 */
const Place = v.object({
  store: v.string(),
  mark: v.string(),
  /** A snapshot, as `pg_current_snapshot` writes it. */
  seen: v.string(),
  /** Many were written: those of transactions up to this one, and in it up to this version, are read; then `then` was seen. */
  through: v.exactOptional(v.object({ xid: v.string(), pk: v.number(), then: v.string() })),
});
type Place = Shape<typeof Place>;

/** The cluster, the database, and the line of history that it is on: a standby that took over gives numbers anew. */
const storeSql = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database()) || '/' ||
  left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)`;

/** The newest entry of the audit trail, of which none ever goes: a database that was put back to a time before has it not. */
const markSql = (condition: string) =>
  `coalesce((SELECT concat_ws(' ', place, node, seq, time) FROM audit ${condition}), '')`;
const standSql = `SELECT ${storeSql} AS store, ${markSql('ORDER BY place DESC LIMIT 1')} AS mark,
  pg_current_snapshot()::text AS seen`;

/** Of the versions that meet a condition, in an order, as many as one step takes. */
function pieceOf(condition: string, order: readonly string[]): string {
  const by = (row: string) => `ORDER BY ${order.map((column) => `${row}.${column}`).join(', ')}`;
  // Joined from the outside, so that the order's own index leads and the limit ends it.
  return `SELECT t.pk, t.record, t.type, t.id, t.body, t.xid::text, t.at FROM (
    SELECT c.*, row_number() OVER w AS at, sum(coalesce(octet_length(c.body), 0)) OVER w AS through
    FROM (SELECT v.xid, v.pk, v.record, v.type, v.id, CASE WHEN r.current = v.pk THEN v.body END AS body
      FROM version v LEFT JOIN record r ON r.pk = v.record WHERE ${condition} ${by('v')} LIMIT ${batch.rows}) c
    WINDOW w AS (${by('c')})) t WHERE t.at = 1 OR t.through <= ${batch.characters} ORDER BY t.at`;
}

const unseen = 'NOT pg_visible_in_snapshot(v.xid, $1::pg_snapshot)';
const behind = `v.xid >= $2::xid8 AND (v.xid > $2::xid8 OR v.pk > $3::bigint) AND ${unseen}`;

const nextText = `SELECT s.*, s.store = $4 AND $5 = ${markSql("WHERE place = nullif(split_part($5, ' ', 1), '')::bigint")}
    AND pg_snapshot_xmax(s.seen::pg_snapshot) >= pg_snapshot_xmax($1::pg_snapshot), p.*
  FROM (${standSql}) s LEFT JOIN LATERAL (${pieceOf(behind, ['xid', 'pk'])}) p ON true ORDER BY p.at`;

const beforeText = pieceOf('v.pk <= $1::bigint', ['pk DESC']);

/** Versions that are counted at most. */
const mostCounted = 100_000;

const leftText = `SELECT count(*) FROM (SELECT 1 FROM version v
  WHERE ${behind} LIMIT ${mostCounted}) c`;

/** The records of a shared store, over a connection of its own. */
export function storeSource(address: string): TextSource {
  const database = new Postgres(readAddress(address), 1);
  let found: Promise<void> | undefined;

  async function rows(text: string, values: readonly Value[]): Promise<Value[][]> {
    await (found ??= database.find());
    return database.rows({ text, values });
  }

  return {
    async begin() {
      const text = `SELECT s.*, (SELECT coalesce(max(pk), 0) FROM version) FROM (${standSql}) s`;
      const [[store, mark, seen, top] = []] = await rows(text, []);
      return {
        place: written({ store: String(store), mark: String(mark), seen: String(seen) }),
        filled: Number(top),
      };
    },

    async next(text) {
      const place = read(text);
      const { seen, through } = place;
      const answer = await rows(nextText, [...behindOf(place), place.store, place.mark]);
      const [store, mark, now, fits] = answer[0] ?? [];
      if (!fits) throw new UnfitError('The index is of other records.');
      const pieces = answer.filter((row) => row[4] !== null);
      const last = pieces.at(-1);
      const known = { store: String(store), mark: String(mark) };
      const then = through?.then ?? String(now);
      return {
        rows: pieces.map(rowOf),
        place: written(
          last
            ? { ...known, seen, through: { xid: String(last[9]), pk: Number(last[4]), then } }
            : { ...known, seen: then },
        ),
      };
    },

    before: async (filled) => (await rows(beforeText, [filled])).map((row) => rowOf([...nothing, ...row])),

    async left(text) {
      const [[count] = []] = await rows(leftText, behindOf(read(text)));
      return Number(count);
    },

    // No number is given again.
    erased: (place) => place,
    close: () => database.close(),
  };
}

const nothing: Value[] = [null, null, null, null];

function rowOf([, , , , pk, record, type, id, body]: readonly Value[]): SourceRow {
  return {
    ...{ pk: Number(pk), record: Number(record), type: String(type), id: String(id) },
    body: typeof body === 'string' ? body : null,
  };
}

/** What `behind` is given: no transaction before the snapshot's first number is unknown. */
function behindOf({ seen, through }: Place): Value[] {
  return [seen, through?.xid ?? seen.split(':', 1)[0] ?? '', through?.pk ?? 0];
}

function read(text: string): Place {
  const place = parseAs(Place, text);
  if (!place) throw new UnfitError('The index stands nowhere in these records.');
  return place;
}

function written(place: Place): string {
  return JSON.stringify(place);
}
