import { checkDefinition, type CheckDefinition } from '../../core/app/checks.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Table of custom checks, each in the form of its file. */
export const checkMigration = `
  CREATE TABLE steward_check (
    id TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    version INTEGER NOT NULL,
    who TEXT NOT NULL,
    time INTEGER NOT NULL
  ) STRICT;
`;

/** A check and its last author. */
export interface StoredCheckRow extends CheckDefinition {
  readonly version: number;
  readonly by: string;
  readonly at: string;
}

interface Row {
  readonly definition: string;
  readonly version: number;
  readonly who: string;
  readonly time: number;
}

export type CheckDefinitions = ReturnType<typeof checkDefinitions>;

export function checkDefinitions(database: SqliteDatabase, clock: () => number) {
  const listChecks = database.prepare<unknown[], Row>(
    'SELECT definition, version, who, time FROM steward_check ORDER BY id',
  );
  const versionOf = database
    .prepare<unknown[], number>('SELECT version FROM steward_check WHERE id = ?')
    .pluck();
  const upsertCheck = database.prepare(
    `INSERT INTO steward_check (id, definition, version, who, time) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET definition = excluded.definition, version = version + 1, who = excluded.who,
       time = excluded.time`,
  );
  const deleteCheck = database.prepare('DELETE FROM steward_check WHERE id = ?');
  let cachedChecks: readonly StoredCheckRow[] | undefined;
  let listener: () => void = () => undefined;
  const readChecks = () => (cachedChecks ??= listChecks.all().flatMap(parseRow));
  const onChanged = () => {
    cachedChecks = undefined;
    listener();
  };
  return {
    list: (): readonly StoredCheckRow[] => readChecks(),
    /** Returns the stored version of a check, or 0 if there is none. */
    versionOf: (id: string): number => versionOf.get(id) ?? 0,
    put(definition: CheckDefinition, author: string): void {
      upsertCheck.run(definition.id, JSON.stringify(definition), author, clock());
      onChanged();
    },
    /** Removes a check. Returns false if there was none. */
    remove(id: string): boolean {
      const isRemoved = deleteCheck.run(id).changes > 0;
      if (isRemoved) onChanged();
      return isRemoved;
    },
    /** Discards the cache. Another server may have written a check. */
    reread(): void {
      const before = cachedChecks;
      cachedChecks = undefined;
      if (before && JSON.stringify(readChecks()) !== JSON.stringify(before)) listener();
    },
    /** Calls the listener after each change of a check. */
    onChange(newListener: () => void): void {
      listener = newListener;
    },
  };
}

function parseRow({ definition, version, who: author, time }: Row): StoredCheckRow[] {
  const parsed = checkDefinition(JSON.parse(definition));
  return 'value' in parsed
    ? [{ ...parsed.value, version, by: author, at: new Date(time).toISOString() }]
    : [];
}
