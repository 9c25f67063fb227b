import { checkDefinition, type CheckDefinition } from '../../core/app/checks.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** The checks that stewards add to the rules, each as its file holds it. */
export const checkMigration = `
  CREATE TABLE steward_check (
    id TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    version INTEGER NOT NULL,
    who TEXT NOT NULL,
    time INTEGER NOT NULL
  ) STRICT;
`;

/** A check with who changed it last. */
export interface HeldCheck extends CheckDefinition {
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
  const all = database.prepare<unknown[], Row>(
    'SELECT definition, version, who, time FROM steward_check ORDER BY id',
  );
  const versionOf = database
    .prepare<unknown[], number>('SELECT version FROM steward_check WHERE id = ?')
    .pluck();
  const put = database.prepare(
    `INSERT INTO steward_check (id, definition, version, who, time) VALUES (?, ?, 1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET definition = excluded.definition, version = version + 1, who = excluded.who,
       time = excluded.time`,
  );
  const drop = database.prepare('DELETE FROM steward_check WHERE id = ?');
  let held: readonly HeldCheck[] | undefined;
  let listener: () => void = () => undefined;
  const read = () => (held ??= all.all().flatMap(heldOf));
  const changed = () => {
    held = undefined;
    listener();
  };
  return {
    list: (): readonly HeldCheck[] => read(),
    /** The version that stands; 0 where there is none. */
    versionOf: (id: string): number => versionOf.get(id) ?? 0,
    put(definition: CheckDefinition, who: string): void {
      put.run(definition.id, JSON.stringify(definition), who, clock());
      changed();
    },
    /** Whether there was one. */
    remove(id: string): boolean {
      const was = drop.run(id).changes > 0;
      if (was) changed();
      return was;
    },
    /** Reads again what is held in memory, as another server may have written it. */
    reread(): void {
      const before = held;
      held = undefined;
      if (before && JSON.stringify(read()) !== JSON.stringify(before)) listener();
    },
    /** Calls the listener whenever a check was written or removed. */
    onChange(called: () => void): void {
      listener = called;
    },
  };
}

function heldOf({ definition, version, who, time }: Row): HeldCheck[] {
  const read = checkDefinition(JSON.parse(definition));
  return 'value' in read ? [{ ...read.value, version, by: who, at: new Date(time).toISOString() }] : [];
}
