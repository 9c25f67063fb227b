import { randomUUID } from 'node:crypto';
import type { Leases } from '../../store/leases.ts';
import type { Session } from './connection.ts';

/** Seconds of a lease after the last call. Work waits so long after its server was killed. */
const defaultSeconds = 15;

// Only the clock of the database decides: the clock of a server may be wrong.
const acquireSql = `INSERT INTO lease AS l (name, holder, until)
  VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE l.holder = excluded.holder OR l.until < clock_timestamp() RETURNING 1`;

const releaseSql = 'DELETE FROM lease WHERE name = $1 AND holder = $2';

/**
 * Creates the leases of the servers of one store. They are rows with an expiry, which survive a lost
 * connection.
 */
export function postgresLeases(database: Session): Leases {
  const holder = randomUUID();
  return {
    shared: true,
    getLease(name, seconds = defaultSeconds) {
      let isHeld = false;
      /** The lease is not queried again until then. This process's clock, started before the query. */
      let validUntil = 0;
      return {
        hold: async () => {
          const now = performance.now();
          if (isHeld && now < validUntil) return true;
          const values = [name, holder, seconds];
          isHeld = (await database.rows({ text: acquireSql, values })).length > 0;
          validUntil = now + (seconds * 1000) / 3;
          return isHeld;
        },
        release: async () => {
          if (!isHeld) return;
          isHeld = false;
          await database.rows({ text: releaseSql, values: [name, holder] });
        },
      };
    },
  };
}
