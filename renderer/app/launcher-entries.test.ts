import { expect, test } from 'vitest';
import { matchEntries, type LauncherEntry } from './launcher-entries.ts';

const entry = (group: string, label: string, detail?: string): LauncherEntry => ({
  id: label,
  group,
  label,
  detail,
  run: () => undefined,
});
const entries = [
  entry('Commands', 'Open record by id'),
  entry('Commands', 'Reopen closed tab'),
  entry('Commands', 'Close tab'),
  entry('Views', 'Quality'),
  entry('Open tabs', 'Diabetes plan', 'CarePlan/17'),
];
const found = (query: string) =>
  matchEntries(entries, query).map(({ name, entries: inGroup }) => [
    name,
    ...inGroup.map(({ label }) => label),
  ]);

test('no query leaves everything in its order', () => {
  expect(found(' ')).toEqual([
    ['Commands', 'Open record by id', 'Reopen closed tab', 'Close tab'],
    ['Views', 'Quality'],
    ['Open tabs', 'Diabetes plan'],
  ]);
});

test('what cannot run now is shown where it is asked for, last and not all of it', () => {
  const refused = ['Open a', 'Open b', 'Open c', 'Open d'].map((label) => ({
    ...entry('Commands', label),
    refusal: 'Nothing has changed.',
  }));
  const shown = (query: string) =>
    matchEntries([...refused, ...entries], query).flatMap((group) => group.entries);
  expect(shown('')).toEqual(entries);
  expect(
    shown('open')
      .filter(({ group }) => group === 'Commands')
      .map(({ label }) => label),
  ).toEqual(['Open record by id', 'Reopen closed tab', 'Open a', 'Open b', 'Open c']);
});

test('a command is found by its synonyms', () => {
  const theme = { ...entry('Commands', 'Switch light and dark'), synonyms: 'theme settings' };
  expect(matchEntries([theme], 'theme')).toEqual([{ name: 'Commands', entries: [theme] }]);
});

test('every word must be found, in the label, the detail or the group', () => {
  expect(found('careplan/17')).toEqual([['Open tabs', 'Diabetes plan']]);
  expect(found('view qual')).toEqual([['Views', 'Quality']]);
  expect(found('tab nonsense')).toEqual([]);
});

test('the best match comes first, and brings its group to the front', () => {
  expect(found('close')).toEqual([['Commands', 'Close tab', 'Reopen closed tab']]);
  expect(found('open')).toEqual([
    ['Commands', 'Open record by id', 'Reopen closed tab'],
    ['Open tabs', 'Diabetes plan'],
  ]);
  expect(found('d')[0]).toEqual(['Open tabs', 'Diabetes plan']);
});
