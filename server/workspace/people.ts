import { randomUUID } from 'node:crypto';
import type { Person } from '../../core/app/people.ts';
import type { Principal } from '../access/principal.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';

/** Tables of the people at this installation, and the last person of the sessions of each name. */
export const peopleMigration = `
  CREATE TABLE person (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE last_person (session TEXT PRIMARY KEY, person TEXT NOT NULL) STRICT;
  ALTER TABLE sign_in ADD COLUMN person TEXT;
  ALTER TABLE erasure ADD COLUMN person TEXT;
`;

export type PeopleStore = ReturnType<typeof peopleStore>;

/** Creates the store of people. It caches them, because each request needs the name of its person. */
export function peopleStore(database: SqliteDatabase) {
  const listNames = database.prepare<unknown[], [string, string]>('SELECT id, name FROM person').raw();
  const listLastPeople = database
    .prepare<unknown[], [string, string]>('SELECT session, person FROM last_person')
    .raw();
  let names = new Map(listNames.all());
  let lastPersonBySession = new Map(listLastPeople.all());
  const insert = database.prepare('INSERT INTO person (id, name) VALUES (?, ?)');
  const update = database.prepare('UPDATE person SET name = ? WHERE id = ?');
  const deletePerson = database.prepare('DELETE FROM person WHERE id = ?');
  const deleteLastPerson = database.prepare('DELETE FROM last_person WHERE person = ?');
  const upsertLastPerson = database.prepare(
    'INSERT INTO last_person (session, person) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET person = excluded.person',
  );
  const deleteSession = database.prepare('DELETE FROM last_person WHERE session = ?');

  const find = (name: string) => [...names].find(([, existingName]) => existingName === name)?.[0];

  return {
    /** Reloads the cache from the database. */
    reread(): void {
      names = new Map(listNames.all());
      lastPersonBySession = new Map(listLastPeople.all());
    },
    nameOf: (id: string): string | undefined => names.get(id),
    list: (): readonly Person[] =>
      [...names]
        .map(([id, name]) => ({ id, name }))
        .sort((person, right) => person.name.localeCompare(right.name)),
    /** Returns the person with a name. Adds one if the name is unknown. */
    add(name: string): Person {
      const existingId = find(name);
      if (existingId !== undefined) return { id: existingId, name };
      const id = randomUUID();
      insert.run(id, name);
      names.set(id, name);
      return { id, name };
    },
    /** Renames a person. Stored versions keep the previous name. */
    rename(id: string, name: string): 'renamed' | 'unknown' | 'taken' {
      if (!names.has(id)) return 'unknown';
      const existingId = find(name);
      if (existingId !== undefined && existingId !== id) return 'taken';
      update.run(name, id);
      names.set(id, name);
      return 'renamed';
    },
    /** Removes a person. Returns false if the id is unknown. */
    remove(id: string): boolean {
      if (!names.delete(id)) return false;
      deletePerson.run(id);
      deleteLastPerson.run(id);
      for (const [session, person] of lastPersonBySession)
        if (person === id) lastPersonBySession.delete(session);
      return true;
    },
    /** Sets the last person of the session as the person at the desktop window. */
    atWindow({ name, ...principal }: Principal): Principal {
      const id = lastPersonBySession.get(name);
      const person = id === undefined ? undefined : names.get(id);
      return { ...principal, name, seat: true, ...(person !== undefined && { person }) };
    },
    lastOf: (session: string): string | undefined => lastPersonBySession.get(session),
    keepLast(session: string, person: string | undefined): void {
      if (person === undefined) {
        deleteSession.run(session);
        lastPersonBySession.delete(session);
      } else {
        upsertLastPerson.run(session, person);
        lastPersonBySession.set(session, person);
      }
    },
  };
}
