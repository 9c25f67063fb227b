import { randomUUID } from 'node:crypto';
import type { Person } from '../../core/app/people.ts';
import type { Principal } from '../access/principal.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';

/** Who works at this installation, and as whom the sessions of each name began last. */
export const peopleMigration = `
  CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE last_person (session TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT;
  ALTER TABLE sign_in ADD COLUMN person TEXT;
  ALTER TABLE erasure ADD COLUMN person TEXT;
`;

export type PeopleStore = ReturnType<typeof peopleStore>;

/** The named people. They are held in memory too: each request asks for the name of its session's. */
export function peopleStore(database: SqliteDatabase) {
  const all = database.prepare<unknown[], [string, string]>('SELECT id, name FROM person').raw();
  const allLast = database
    .prepare<unknown[], [string, string]>('SELECT session, person FROM last_person')
    .raw();
  let names = new Map(all.all());
  let last = new Map(allLast.all());
  const insert = database.prepare('INSERT INTO person (id, name) VALUES (?, ?)');
  const update = database.prepare('UPDATE person SET name = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM person WHERE id = ?');
  const forget = database.prepare('DELETE FROM last_person WHERE person = ?');
  const remember = database.prepare(
    'INSERT INTO last_person (session, person) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET person = excluded.person',
  );
  const leave = database.prepare('DELETE FROM last_person WHERE session = ?');

  const find = (name: string) => [...names].find(([, one]) => one === name)?.[0];

  return {
    /** Takes over what is in the database. */
    reread(): void {
      names = new Map(all.all());
      last = new Map(allLast.all());
    },
    nameOf: (id: string): string | undefined => names.get(id),
    list: (): readonly Person[] =>
      [...names].map(([id, name]) => ({ id, name })).sort((one, other) => one.name.localeCompare(other.name)),
    /** The person of a name; the one that is there where it is known. */
    add(name: string): Person {
      const known = find(name);
      if (known !== undefined) return { id: known, name };
      const id = randomUUID();
      insert.run(id, name);
      names.set(id, name);
      return { id, name };
    },
    /** What was saved before keeps the name that it has. */
    rename(id: string, name: string): 'renamed' | 'unknown' | 'taken' {
      if (!names.has(id)) return 'unknown';
      const known = find(name);
      if (known !== undefined && known !== id) return 'taken';
      update.run(name, id);
      names.set(id, name);
      return 'renamed';
    },
    /** False where the id is unknown. */
    remove(id: string): boolean {
      if (!names.delete(id)) return false;
      remove.run(id);
      forget.run(id);
      for (const [session, person] of last) if (person === id) last.delete(session);
      return true;
    },
    /** At the desktop's window sits who sat there last. */
    atWindow({ name, ...own }: Principal): Principal {
      const id = last.get(name);
      const person = id === undefined ? undefined : names.get(id);
      return { ...own, name, seat: true, ...(person !== undefined && { person }) };
    },
    /** As whom a session of this name begins: as the last one of it. */
    lastOf: (session: string): string | undefined => last.get(session),
    keepLast(session: string, person: string | undefined): void {
      if (person === undefined) {
        leave.run(session);
        last.delete(session);
      } else {
        remember.run(session, person);
        last.set(session, person);
      }
    },
  };
}
