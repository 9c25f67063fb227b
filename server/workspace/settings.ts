import type { DefaultProxy } from '../../core/app/connections.ts';
import { readPreferences, type Preferences } from '../../core/app/preferences.ts';
import type { ChosenProfiles } from '../../core/app/profiles.ts';
import { PracticeStarted } from '../../core/app/practice.ts';
import { SecondaryFolderSetting } from '../../core/app/backups.ts';
import { WorkbenchSession } from '../../core/app/session.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import type { SqliteDatabase } from '../sqlite/sqlite.ts';
import type { ErasedRecords } from '../store/store.ts';
import { toStoredSession } from './erasures.ts';
import { localServer, sessionName } from './server-key.ts';

/** Table of single values, as JSON by name. */
export const settingMigration = `CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;`;

/** Creates the store of preferences and open tabs. */
export function settingStore(database: SqliteDatabase, erasures: Pick<ErasedRecords, 'has'>) {
  const row = database.prepare<unknown[], { value: string }>('SELECT value FROM setting WHERE name = ?');
  const write = database.prepare(
    'INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const readSetting = (name: string): unknown => {
    const storedRow = row.get(name);
    return storedRow && JSON.parse(storedRow.value);
  };
  let cachedPreferences: Preferences | undefined;
  let onPreferencesChanged: () => void = () => undefined;
  const preferences = () => (cachedPreferences ??= readPreferences(readSetting('preferences')));
  return {
    /** Returns the setting of the secondary backup folder, or undefined if there never was one. */
    getSecondaryFolder(): SecondaryFolderSetting | undefined {
      const setting = readSetting('second-place');
      return matchesSchema(SecondaryFolderSetting, setting) ? setting : undefined;
    },
    saveSecondaryFolder(setting: SecondaryFolderSetting): void {
      write.run('second-place', JSON.stringify(setting));
    },
    /** Start times of exercises. */
    practice: {
      read(): PracticeStarted {
        const setting = readSetting('practice');
        return matchesSchema(PracticeStarted, setting) ? setting : {};
      },
      save(startTimes: PracticeStarted): void {
        write.run('practice', JSON.stringify(startTimes));
      },
    },
    /** Returns the default proxy of connections. */
    proxy: (): DefaultProxy => preferences().proxy,
    /** Returns true if people must give a reason for a change. Called at each write. */
    demandsReason: (): boolean => preferences().demandReason,
    /** Returns the profiles for validation in addition to the profiles that a record claims. */
    chosenProfiles: (): ChosenProfiles => preferences().profiles,
    onPreferences(listener: () => void): void {
      onPreferencesChanged = listener;
    },
    /** Discards the cached preferences. Another server may have changed them. */
    reread(): void {
      const before = cachedPreferences;
      cachedPreferences = undefined;
      if (before && JSON.stringify(preferences()) !== JSON.stringify(before)) onPreferencesChanged();
    },
    preferences: (): Promise<Preferences> => Promise.resolve(preferences()),
    /** Changes some preferences. Resolves with all of them. */
    changePreferences(change: Partial<Preferences>): Promise<Preferences> {
      const newPreferences = { ...preferences(), ...change };
      write.run('preferences', JSON.stringify(newPreferences));
      cachedPreferences = newPreferences;
      onPreferencesChanged();
      return Promise.resolve(newPreferences);
    },
    /** Returns the last session, or undefined if there is none. */
    session(server: string): Promise<WorkbenchSession | undefined> {
      const setting = readSetting(sessionName(server));
      return Promise.resolve(matchesSchema(WorkbenchSession, setting) ? setting : undefined);
    },
    saveSession(server: string, session: WorkbenchSession): Promise<void> {
      const retainedSession =
        server === localServer ? toStoredSession(session, (record) => erasures.has(record)) : session;
      write.run(sessionName(server), JSON.stringify(retainedSession));
      return Promise.resolve();
    },
  };
}
