import { randomUUID } from 'node:crypto';
import type { Leases } from '../leases.ts';
import type { Session } from './connection.ts';

/** Seconds from the last call on in which work is this server's: so long it lies where that one was killed. */
const usual = 15;

// The end is told by the database's clock alone: a server's may be wrong.
const takeText = `INSERT INTO lease AS l (name, holder, until)
  VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
  WHERE l.holder = excluded.holder OR l.until < clock_timestamp() RETURNING 1`;

const releaseText = 'DELETE FROM lease WHERE name = $1 AND holder = $2';

/** Leases of the servers of one store: rows with an end, which a lost connection does not take away. */
export function postgresLeases(database: Session): Leases {
  const holder = randomUUID();
  return {
    shared: true,
    of(name, seconds = usual) {
      let held = false;
      /** Until when it is not asked again, by this process's own time, which counts from before the call. */
      let sure = 0;
      return {
        hold: async () => {
          const now = performance.now();
          if (held && now < sure) return true;
          const values = [name, holder, seconds];
          held = (await database.rows({ text: takeText, values })).length > 0;
          sure = now + (seconds * 1000) / 3;
          return held;
        },
        release: async () => {
          if (!held) return;
          held = false;
          await database.rows({ text: releaseText, values: [name, holder] });
        },
      };
    },
  };
}
