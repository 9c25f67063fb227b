import { randomUUID } from 'node:crypto';
import { checkConnection } from '../../core/app/connection-check.ts';
import { connectionLimits } from '../../core/app/connection-limits.ts';
import type { Connection, ConnectionSettings } from '../../core/app/connections.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** Remote servers; settings are JSON without any secret, names differ by more than case. */
export const connectionMigration = `
  CREATE TABLE connection (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    settings TEXT NOT NULL
  ) STRICT;
`;

/** Colours have names of our own; one was called as the page's library calls it. */
export const colourMigration = `
  UPDATE connection SET settings = json_set(settings, '$.colour', 'purple')
    WHERE json_extract(settings, '$.colour') = 'grape';
`;

/** Why a connection was not stored. */
export type ConnectionRefusal = 'name-taken' | 'full' | 'unknown';

interface ConnectionRow {
  readonly id: string;
  readonly settings: string;
}

export type ConnectionStore = ReturnType<typeof connectionStore>;

/** The connections of a workspace database. */
export function connectionStore(database: SqliteDatabase) {
  const all = database.prepare<unknown[], ConnectionRow>('SELECT id, settings FROM connection ORDER BY seq');
  const one = database.prepare<unknown[], ConnectionRow>('SELECT id, settings FROM connection WHERE id = ?');
  const named = database.prepare<unknown[], { id: string }>('SELECT id FROM connection WHERE name = ?');
  const count = database.prepare<unknown[], { n: number }>('SELECT count(*) AS n FROM connection');
  const insert = database.prepare('INSERT INTO connection (id, name, settings) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE connection SET name = ?, settings = ? WHERE id = ?');
  const setId = database.prepare('UPDATE connection SET id = ? WHERE id = ?');
  const moveLast = database.prepare(
    'UPDATE connection SET seq = (SELECT max(seq) + 1 FROM connection) WHERE id = ?',
  );
  const drop = database.prepare('DELETE FROM connection WHERE id = ?');

  return {
    /** In the order of their making, or that which {@link arrange} gave them. */
    list: () => Promise.resolve(all.all().flatMap((row) => connectionOf(row) ?? [])),
    find(id: string) {
      const row = one.get(id);
      return Promise.resolve(row && connectionOf(row));
    },
    add(settings: ConnectionSettings): Promise<Connection | ConnectionRefusal> {
      if (named.get(settings.name)) return Promise.resolve('name-taken');
      if ((count.get()?.n ?? 0) >= connectionLimits.connections) return Promise.resolve('full');
      const id = randomUUID();
      insert.run(id, settings.name, JSON.stringify(settings));
      return Promise.resolve({ id, ...settings });
    },
    change(id: string, settings: ConnectionSettings): Promise<Connection | ConnectionRefusal> {
      const holder = named.get(settings.name);
      if (holder && holder.id !== id) return Promise.resolve('name-taken');
      const { changes } = update.run(settings.name, JSON.stringify(settings), id);
      return Promise.resolve(changes === 0 ? 'unknown' : { id, ...settings });
    },
    /** Puts them in this order, those that are not named behind; false where an id is unknown or comes twice. */
    arrange(ids: readonly string[]) {
      const held = all.all().map(({ id }) => id);
      const named = new Set(ids);
      if (named.size < ids.length || ids.some((id) => !held.includes(id))) return Promise.resolve(false);
      const order = [...ids, ...held.filter((id) => !named.has(id))];
      database.transaction(() => order.forEach((id) => moveLast.run(id)))();
      return Promise.resolve(true);
    },
    /** Gives a connection another id, so that no secret that is kept under the former one is ever found for it. */
    renew(id: string) {
      const next = randomUUID();
      setId.run(next, id);
      return Promise.resolve(next);
    },
    remove: (id: string) => Promise.resolve(drop.run(id).changes > 0),
  };
}

function connectionOf({ id, settings }: ConnectionRow): Connection | undefined {
  const check = checkConnection(JSON.parse(settings));
  return 'value' in check ? { id, ...check.value } : undefined;
}
