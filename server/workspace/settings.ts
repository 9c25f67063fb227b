import type { DefaultProxy } from '../../core/app/connections.ts';
import { readPreferences, type Preferences } from '../../core/app/preferences.ts';
import type { ChosenProfiles } from '../../core/app/profiles.ts';
import { PracticeBegun } from '../../core/app/practice.ts';
import { PlaceSetting } from '../../core/app/backups.ts';
import { WorkbenchSession } from '../../core/app/session.ts';
import { is } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../store/sqlite/sqlite.ts';
import type { Erased } from '../store/store.ts';
import { withoutRecords } from './erasures.ts';
import { localServer, sessionName } from './server-key.ts';

/** Single values, each JSON under its name. */
export const settingMigration = `CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`;

/** The preferences, and what was open at last. */
export function settingStore(database: SqliteDatabase, erased: Pick<Erased, 'has'>) {
  const row = database.prepare<unknown[], { value: string }>('SELECT value FROM setting WHERE name = ?');
  const write = database.prepare(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const read = (name: string): unknown => {
    const found = row.get(name);
    return found && JSON.parse(found.value);
  };
  let held: Preferences | undefined;
  let told: () => void = () => undefined;
  const preferences = () => (held ??= readPreferences(read('preferences')));
  return {
    /** The second place of backups; undefined where none was ever set. */
    secondPlace(): PlaceSetting | undefined {
      const kept = read('second-place');
      return is(PlaceSetting, kept) ? kept : undefined;
    },
    saveSecondPlace(setting: PlaceSetting): void {
      write.run('second-place', JSON.stringify(setting));
    },
    /** When each exercise was begun. */
    practice: {
      read(): PracticeBegun {
        const kept = read('practice');
        return is(PracticeBegun, kept) ? kept : {};
      },
      save(begun: PracticeBegun): void {
        write.run('practice', JSON.stringify(begun));
      },
    },
    /** The proxy of connections that name none. */
    proxy: (): DefaultProxy => preferences().proxy,
    /** Whether people must say why they change a record; asked for at each write. */
    demandsReason: (): boolean => preferences().demandReason,
    /** The profile by which records of a type are judged beside those that they claim. */
    chosenProfiles: (): ChosenProfiles => preferences().profiles,
    /** Called behind each change of the preferences. */
    onPreferences(listener: () => void): void {
      told = listener;
    },
    /** Reads the preferences anew when they are asked for next. */
    reread(): void {
      held = undefined;
    },
    preferences: (): Promise<Preferences> => Promise.resolve(preferences()),
    /** Keeps what changes beside what stays; resolves with all. */
    changePreferences(change: Partial<Preferences>): Promise<Preferences> {
      const changed = { ...preferences(), ...change };
      write.run('preferences', JSON.stringify(changed));
      held = changed;
      told();
      return Promise.resolve(changed);
    },
    /** What was open at last; undefined before anything was. */
    session(server: string): Promise<WorkbenchSession | undefined> {
      const kept = read(sessionName(server));
      return Promise.resolve(is(WorkbenchSession, kept) ? kept : undefined);
    },
    saveSession(server: string, session: WorkbenchSession): Promise<void> {
      const kept = server === localServer ? withoutRecords(session, (record) => erased.has(record)) : session;
      write.run(sessionName(server), JSON.stringify(kept));
      return Promise.resolve();
    },
  };
}

export type SettingStore = ReturnType<typeof settingStore>;
