import type { SharedCodes, SharedRows, SharedSignIns } from '../shared-rows.ts';
import type { DatabaseClock } from './clock.ts';
import type { Postgres } from './connection.ts';
import { lockAgainstMoves } from './moving.ts';
import { notifyStatement, type Signals } from './signals.ts';
import { locks } from './locks.ts';
import { toColumns } from './version-rows.ts';

/** Milliseconds for which a deleted row is reported to other servers. */
const retentionMs = 24 * 3600 * 1000;

/** Erasures appear as a list of the workspace, which is read-only. */
const sinceSql = `SELECT name, key, body, stamp FROM workspace
  WHERE stamp > $1::bigint AND ($2::boolean OR body IS NOT NULL)
  UNION ALL SELECT 'erasure', json_build_array(type, id, source)::text, json_build_object('type', type, 'id', id,
    'source', source, 'time', time, 'who', who, 'person', person, 'reason', reason)::text, stamp FROM erased WHERE stamp > $1::bigint
  ORDER BY stamp`;

/**
 * Writes rows (names, keys, bodies, last known stamps) with the current time, and returns their new stamps.
 * If another server changed a row since then, it writes nothing and returns a row without a name.
 */
const writeSql = `WITH given AS (
    SELECT name, key, w.body, known, s.body AS standing, s.stamp
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) w(name, key, body, known)
    LEFT JOIN workspace s USING (name, key)),
  taken AS (SELECT FROM given
    WHERE CASE WHEN known IS NULL THEN standing IS NOT NULL
      ELSE stamp > known AND standing IS DISTINCT FROM body END LIMIT 1),
  written AS (INSERT INTO workspace AS s (name, key, body, stamp, changed)
    SELECT name, key, body, nextval('workspace_stamp'), $5::bigint FROM given WHERE NOT EXISTS (SELECT FROM taken)
    ON CONFLICT (name, key) DO UPDATE SET body = excluded.body, stamp = excluded.stamp, changed = excluded.changed
    RETURNING name, key, stamp)
  SELECT name, key, stamp FROM written UNION ALL SELECT NULL, NULL, NULL FROM taken`;

const evictSql = 'DELETE FROM workspace WHERE body IS NULL AND changed < $1::bigint';

export function postgresRows(database: Postgres, signals: Signals, clock: DatabaseClock): SharedRows {
  return {
    async since(stamp) {
      const values = [stamp ?? 0, stamp !== undefined];
      // Callers read every two seconds, so the clock is updated with each read.
      const [foundRows] = await Promise.all([signals.rows({ text: sinceSql, values }), clock.look()]);
      const rows = foundRows.map(([name, key, body]) => ({
        name: String(name),
        key: String(key),
        body: typeof body === 'string' ? body : null,
      }));
      return { rows, stamp: Number(foundRows.at(-1)?.[3] ?? stamp ?? 0) };
    },

    async write(rows) {
      const now = clock.now();
      return database.transaction(async (session) => {
        await lockAgainstMoves(session, 'transaction');
        // The lock is held from the comparison to the write.
        await session.rows({ text: 'SELECT pg_advisory_xact_lock($1::bigint)', values: [locks.rows] });
        const parameters = rows.map(({ name, key, body, knownStamp }) => [
          name,
          key,
          body,
          knownStamp ?? null,
        ]);
        const writtenRows = await session.rows({
          text: writeSql,
          values: [...toColumns(parameters, 4), now],
        });
        if (writtenRows[0]?.[0] === null) return 'taken';
        await session.rows({ text: evictSql, values: [now - retentionMs] });
        await session.rows(notifyStatement('workspace', 'rows'));
        return writtenRows.map(([name, key, stamp]) => ({
          name: String(name),
          key: String(key),
          stamp: Number(stamp),
        }));
      });
    },

    onChange: (listener) => signals.on('workspace', listener),
  };
}

const dropSql = 'DELETE FROM sign_in_code WHERE expires < $1::bigint';

export function postgresCodes(database: Postgres, clock: Pick<DatabaseClock, 'now'>): SharedCodes {
  return {
    async add({ sha256, granted, expires }) {
      await database.rows({ text: dropSql, values: [clock.now() - retentionMs] });
      const text =
        'INSERT INTO sign_in_code (sha256, granted, expires, used) VALUES ($1, $2, $3::bigint, false)';
      await database.rows({ text, values: [sha256, granted, expires] });
    },

    async take(sha256) {
      const text = `UPDATE sign_in_code SET used = true WHERE sha256 = $1 AND NOT used RETURNING granted, expires`;
      const [row] = await database.rows({ text, values: [sha256] });
      if (row) return { sha256, granted: String(row[0]), expires: Number(row[1]) };
      const existsSql = 'SELECT 1 FROM sign_in_code WHERE sha256 = $1';
      const usedRows = await database.rows({ text: existsSql, values: [sha256] });
      return usedRows.length > 0 ? 'used' : undefined;
    },
  };
}

const pruneSql = `DELETE FROM openid_sign_in WHERE begun <= $2::bigint OR browser IN
  (SELECT browser FROM (SELECT browser, begun, row_number() OVER (PARTITION BY network ORDER BY begun DESC, browser) AS place
    FROM openid_sign_in WHERE begun > $2::bigint) s ORDER BY place, begun DESC, browser OFFSET $1::integer)`;

export function postgresSignIns(database: Postgres): SharedSignIns {
  return {
    async add({ key, body, startedAtMs, network }, { maxCount, expiredBefore }) {
      const text =
        'INSERT INTO openid_sign_in (browser, body, begun, network) VALUES ($1, $2, $3::bigint, $4)';
      await database.rows({ text, values: [key, body, startedAtMs, network] });
      await database.rows({ text: pruneSql, values: [maxCount, expiredBefore] });
    },

    async take(key) {
      const text = 'DELETE FROM openid_sign_in WHERE browser = $1 RETURNING body';
      const [row] = await database.rows({ text, values: [key] });
      return row && String(row[0]);
    },
  };
}
