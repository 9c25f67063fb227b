import { randomUUID } from 'node:crypto';
import { checkConnection } from '../../core/app/connection-check.ts';
import { connectionLimits } from '../../core/app/connection-limits.ts';
import type { Connection, ConnectionSettings } from '../../core/app/connections.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Table of remote servers. Settings are JSON without secrets. Names differ by more than case. */
export const connectionMigration = `
  CREATE TABLE connection (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    settings TEXT NOT NULL
  ) STRICT;
`;

/** Renames a color that had the name of the page library. */
export const colourMigration = `
  UPDATE connection SET settings = json_set(settings, '$.colour', 'purple')
    WHERE json_extract(settings, '$.colour') = 'grape';
`;

/** Reason why a connection was not stored. */
export type ConnectionRejectionCode = 'name-taken' | 'full' | 'unknown';

interface ConnectionRow {
  readonly id: string;
  readonly settings: string;
}

export type ConnectionStore = ReturnType<typeof connectionStore>;

/** Creates the store of connections of a workspace database. */
export function connectionStore(database: SqliteDatabase) {
  const listConnections = database.prepare<unknown[], ConnectionRow>(
    'SELECT id, settings FROM connection ORDER BY seq',
  );
  const findConnection = database.prepare<unknown[], ConnectionRow>(
    'SELECT id, settings FROM connection WHERE id = ?',
  );
  const findByName = database.prepare<unknown[], { id: string }>('SELECT id FROM connection WHERE name = ?');
  const countConnections = database.prepare<unknown[], { n: number }>('SELECT count(*) AS n FROM connection');
  const insert = database.prepare('INSERT INTO connection (id, name, settings) VALUES (?, ?, ?)');
  const update = database.prepare('UPDATE connection SET name = ?, settings = ? WHERE id = ?');
  const setId = database.prepare('UPDATE connection SET id = ? WHERE id = ?');
  const moveLast = database.prepare(
    'UPDATE connection SET seq = (SELECT max(seq) + 1 FROM connection) WHERE id = ?',
  );
  const deleteConnection = database.prepare('DELETE FROM connection WHERE id = ?');

  return {
    /** Returns the connections in the order of their creation, or of {@link arrange}. */
    list: () => Promise.resolve(listConnections.all().flatMap((row) => connectionOf(row) ?? [])),
    find(id: string) {
      const row = findConnection.get(id);
      return Promise.resolve(row && connectionOf(row));
    },
    add(settings: ConnectionSettings): Promise<Connection | ConnectionRejectionCode> {
      if (findByName.get(settings.name)) return Promise.resolve('name-taken');
      if ((countConnections.get()?.n ?? 0) >= connectionLimits.connections) return Promise.resolve('full');
      const id = randomUUID();
      insert.run(id, settings.name, JSON.stringify(settings));
      return Promise.resolve({ id, ...settings });
    },
    change(id: string, settings: ConnectionSettings): Promise<Connection | ConnectionRejectionCode> {
      const holder = findByName.get(settings.name);
      if (holder && holder.id !== id) return Promise.resolve('name-taken');
      const { changes } = update.run(settings.name, JSON.stringify(settings), id);
      return Promise.resolve(changes === 0 ? 'unknown' : { id, ...settings });
    },
    /**
     * Sets the order. Connections without a given position come last. Returns false if an id is unknown or occurs
     * twice.
     */
    arrange(ids: readonly string[]) {
      const existingIds = listConnections.all().map(({ id }) => id);
      const givenIds = new Set(ids);
      if (givenIds.size < ids.length || ids.some((id) => !existingIds.includes(id)))
        return Promise.resolve(false);
      const order = [...ids, ...existingIds.filter((id) => !givenIds.has(id))];
      database.transaction(() => order.forEach((id) => moveLast.run(id)))();
      return Promise.resolve(true);
    },
    /** Assigns a new id to a connection, so that secrets under the previous id are never used for it. */
    renew(id: string) {
      const newId = randomUUID();
      setId.run(newId, id);
      return Promise.resolve(newId);
    },
    remove: (id: string) => Promise.resolve(deleteConnection.run(id).changes > 0),
  };
}

function connectionOf({ id, settings }: ConnectionRow): Connection | undefined {
  const check = checkConnection(JSON.parse(settings));
  return 'value' in check ? { id, ...check.value } : undefined;
}
