import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import type { VersionName } from '../store/checksum.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** Which texts of the records were found damaged, and when first; milliseconds since the epoch. */
export const damageMigration = `
  CREATE TABLE damage (
    type TEXT NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    noticed INTEGER NOT NULL,
    PRIMARY KEY (type, id, version)
  ) STRICT, WITHOUT ROWID;
`;

export interface NotedDamage extends VersionName {
  readonly noticed: number;
}

const Scrub = v.object({
  /** The scrub under way: behind which version it goes on, which was the newest when it began, what it came to so far. */
  running: v.exactOptional(
    v.object({ place: v.number(), last: v.number(), read: v.number(), found: v.number() }),
  ),
  /** What the last one came to. */
  ended: v.exactOptional(v.object({ time: v.number(), read: v.number(), found: v.number() })),
});
export type Scrub = Shape<typeof Scrub>;

export type DamageNotes = ReturnType<typeof damageNotes>;

/** Keeps what is known of damaged texts where the damage is not. */
export function damageNotes(database: SqliteDatabase) {
  const all = database.prepare<unknown[], NotedDamage>('SELECT type, id, version, noticed FROM damage');
  const add = database.prepare(
    'INSERT OR IGNORE INTO damage (type, id, version, noticed) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM damage WHERE type = ? AND id = ? AND version = ?');
  const one = database.prepare('SELECT 1 FROM damage WHERE type = ? AND id = ? AND version = ?');
  const any = database.prepare('SELECT 1 FROM damage LIMIT 1');
  const scrub = database.prepare<unknown[], string>("SELECT value FROM setting WHERE name = 'scrub'").pluck();
  const saveScrub = database.prepare(
    "INSERT INTO setting (name, value) VALUES ('scrub', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  return {
    all: (): readonly NotedDamage[] => all.all(),
    isEmpty: (): boolean => any.get() === undefined,
    has: ({ type, id, version }: VersionName): boolean => one.get(type, id, version) !== undefined,
    add(noted: readonly NotedDamage[]): void {
      database
        .transaction(() => {
          for (const { type, id, version, noticed } of noted) add.run(type, id, version, noticed);
        })
        .immediate();
    },
    remove({ type, id, version }: VersionName): void {
      remove.run(type, id, version);
    },
    scrub: (): Scrub => parseAs(Scrub, scrub.get() ?? '{}') ?? {},
    saveScrub(state: Scrub): void {
      saveScrub.run(JSON.stringify(state));
    },
  };
}
