/**
 * Data of the people at the workbench. In PostgreSQL, each row is JSON under its table name and key, as
 * servers share it (server/shared/workspace-mirror.ts). Local state of a folder's server is not included.
 */
import { applyMigrations } from '../../sqlite/migrate.ts';
import { numbered, type Session } from '../postgres/connection.ts';
import { readInChunks } from '../../store/chunks.ts';
import { toColumns } from '../postgres/version-rows.ts';
import { closing, connect, preparePluck, type SqliteDatabase } from '../../sqlite/sqlite.ts';
import { upsertRow, sharedTables } from '../workspace-mirror.ts';
import { workspaceMigrations } from '../../workspace/workspace.ts';
import { batches, boundedSql } from './bounded.ts';
import type { DatabaseTable, FolderTable, MovedTable } from './kind.ts';

/** A row of a table: its key as a JSON array, and its columns as a JSON object. */
type SharedRow = readonly [key: string, body: string];

/** Names of the tables for people. */
const names: Readonly<Record<string, string>> = {
  token: 'tokens',
  access_token: 'access tokens',
  person: 'people',
  last_person: 'people who sat there last',
  sign_in: 'sessions',
  setting: 'settings',
  connection: 'connections',
  recent_search: 'recent searches',
  saved_search: 'saved searches',
  draft: 'drafts',
  bulk_run: 'runs',
  bulk_target: 'records of runs',
  steward_check: 'checks',
  last_use: 'times of use',
  damage: 'damaged texts',
};

/** Key of a row that is not moved, by table: the scrub position belongs to the folder's disk. */
const excludedKeys: Readonly<Record<string, string>> = { setting: '["scrub"]' };

export const workspaceKinds: readonly MovedTable<SharedRow>[] = Object.entries<readonly string[]>(
  sharedTables,
).map(([table, keys]) => {
  const name = names[table] ?? table;
  return {
    name,
    keyOf: ([key]) => [key],
    nameOf: ([key]) => `${name} ${key}`,
    listCells: ([key, body]) => [key, omitDefaults(table, body)],
    openInFolder: ({ workspace }) => folderRows(workspace, table, keys),
    openInDatabase: (session) => databaseRows(session, table),
  };
});

type FoundRow = Readonly<Record<string, unknown>> & { readonly 'shared key': string };

function folderRows(
  database: SqliteDatabase,
  table: string,
  keys: readonly string[],
): FolderTable<SharedRow> {
  const key = `json_array(${keys.join(', ')})`;
  return {
    *read() {
      const rows = database.prepare<unknown[], FoundRow>(
        `SELECT *, ${key} AS "shared key" FROM ${table} WHERE ${key} <> ? ORDER BY "shared key"`,
      );
      const foundRows = rows.iterate(excludedKeys[table] ?? '');
      yield* batches(sharedRows(foundRows), ([, body]) => body.length);
    },
    write(rows) {
      for (const [, body] of rows) upsertRow(database, table, keys, body);
    },
    clear: () => void database.exec(`DELETE FROM ${table}`),
  };
}

function* sharedRows(foundRows: Iterable<FoundRow>): Generator<SharedRow> {
  for (const { 'shared key': sharedKey, ...row } of foundRows) yield [sharedKey, JSON.stringify(row)];
}

/** Writes rows: names, keys, bodies and the current time. No server writes meanwhile. */
const writeSql = `INSERT INTO workspace AS s (name, key, body, stamp, changed)
  SELECT w.name, w.key, w.body, nextval('workspace_stamp'), $4::bigint
  FROM unnest($1::text[], $2::text[], $3::text[]) w(name, key, body)
  ON CONFLICT (name, key) DO UPDATE SET body = excluded.body, stamp = excluded.stamp, changed = excluded.changed`;

function databaseRows(session: Session, table: string): DatabaseTable<SharedRow> {
  const rows = 'workspace WHERE name = ? AND key > ? AND key <> ? AND body IS NOT NULL';
  const text = `SELECT key, body FROM ${boundedSql(rows, 'key')} w ORDER BY key`;
  return {
    read: () =>
      readInChunks<SharedRow>(async (lastRow) => {
        const values = [table, lastRow?.[0] ?? '', excludedKeys[table] ?? ''];
        return (await session.rows(numbered({ text, values }))).map(([key, body]) => [
          String(key),
          String(body),
        ]);
      }),
    async write(rows) {
      const parameters = rows.map(([key, body]) => [table, key, body]);
      await session.rows({ text: writeSql, values: [...toColumns(parameters, 3), Date.now()] });
    },
    clear: () => session.rows({ text: 'DELETE FROM workspace WHERE name = $1', values: [table] }),
  };
}

let defaults: ReturnType<typeof readDefaults> | undefined;

/** Returns a row without default values. A row shared by an older program lacks newer columns. */
function omitDefaults(table: string, body: string): string {
  defaults ??= readDefaults();
  const tableDefaults = defaults.get(table);
  const cells = Object.entries(JSON.parse(body) as Record<string, unknown>)
    .filter(([column, value]) => value !== (tableDefaults?.get(column) ?? null))
    .sort(([columnA], [columnB]) => (columnA < columnB ? -1 : 1));
  return JSON.stringify(cells);
}

function readDefaults(): ReadonlyMap<string, ReadonlyMap<string, unknown>> {
  return closing(connect(':memory:'), (database) => {
    applyMigrations(database, workspaceMigrations);
    const valueOf = (text: string | null) =>
      text === null ? null : preparePluck(database, `SELECT ${text}`).get();
    return new Map(
      Object.keys(sharedTables).map((table) => {
        const columns = database.pragma(`table_info(${table})`) as {
          name: string;
          dflt_value: string | null;
        }[];
        return [table, new Map(columns.map((column) => [column.name, valueOf(column.dflt_value)]))];
      }),
    );
  });
}
