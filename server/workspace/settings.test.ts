import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../sqlite/sqlite.ts';
import { settingMigration, settingStore } from './settings.ts';

test('reports preferences that another server changed, and only those', async () => {
  const database = connect(':memory:');
  onTestFinished(() => void database.close());
  database.exec(settingMigration);
  const settings = settingStore(database, { has: () => false });
  const otherSettings = settingStore(database, { has: () => false });
  let changeCount = 0;
  settings.onPreferences(() => (changeCount += 1));
  const { profiles } = await settings.preferences();

  settings.reread();
  expect(changeCount).toBe(0);
  const newProfiles = { ...profiles, CarePlan: 'http://example.org/profile' };
  await otherSettings.changePreferences({ profiles: newProfiles });
  settings.reread();
  expect(changeCount).toBe(1);
  expect(settings.chosenProfiles()).toEqual(newProfiles);
});
