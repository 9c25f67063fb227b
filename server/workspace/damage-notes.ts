import * as v from 'valibot';
import { parseAs, type Shape } from '../../core/json/shape.ts';
import type { VersionName } from '../store/checksum.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Table of damaged texts and the time of their first detection, in milliseconds since the epoch. */
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
  /** Scrub in progress: last checked version, latest version at its start, and counts so far. */
  running: v.exactOptional(
    v.object({ place: v.number(), last: v.number(), read: v.number(), found: v.number() }),
  ),
  /** Result of the last scrub. */
  ended: v.exactOptional(v.object({ time: v.number(), read: v.number(), found: v.number() })),
});
export type Scrub = Shape<typeof Scrub>;

export type DamageNotes = ReturnType<typeof damageNotes>;

/** Stores the known damaged texts outside the damaged database. */
export function damageNotes(database: SqliteDatabase) {
  const listDamage = database.prepare<unknown[], NotedDamage>(
    'SELECT type, id, version, noticed FROM damage',
  );
  const add = database.prepare(
    'INSERT OR IGNORE INTO damage (type, id, version, noticed) VALUES (?, ?, ?, ?)',
  );
  const remove = database.prepare('DELETE FROM damage WHERE type = ? AND id = ? AND version = ?');
  const findDamage = database.prepare('SELECT 1 FROM damage WHERE type = ? AND id = ? AND version = ?');
  const findAny = database.prepare('SELECT 1 FROM damage LIMIT 1');
  const readScrub = database
    .prepare<unknown[], string>("SELECT value FROM setting WHERE name = 'scrub'")
    .pluck();
  const saveScrub = database.prepare(
    "INSERT INTO setting (name, value) VALUES ('scrub', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  return {
    all: (): readonly NotedDamage[] => listDamage.all(),
    isEmpty: (): boolean => findAny.get() === undefined,
    has: ({ type, id, version }: VersionName): boolean => findDamage.get(type, id, version) !== undefined,
    add(newEntries: readonly NotedDamage[]): void {
      database
        .transaction(() => {
          for (const { type, id, version, noticed: noticedMs } of newEntries)
            add.run(type, id, version, noticedMs);
        })
        .immediate();
    },
    remove({ type, id, version }: VersionName): void {
      remove.run(type, id, version);
    },
    scrub: (): Scrub => parseAs(Scrub, readScrub.get() ?? '{}') ?? {},
    saveScrub(state: Scrub): void {
      saveScrub.run(JSON.stringify(state));
    },
  };
}
