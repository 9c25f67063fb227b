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
const matchLabels = (query: string) =>
  matchEntries(entries, query).map(({ name, entries: inGroup }) => [
    name,
    ...inGroup.map(({ label }) => label),
  ]);

test('keeps the order without a query', () => {
  expect(matchLabels(' ')).toEqual([
    ['Commands', 'Open record by id', 'Reopen closed tab', 'Close tab'],
    ['Views', 'Quality'],
    ['Open tabs', 'Diabetes plan'],
  ]);
});

test('lists at most three disabled entries, last and only for a query', () => {
  const disabledEntries = ['Open a', 'Open b', 'Open c', 'Open d'].map((label) => ({
    ...entry('Commands', label),
    refusal: 'Nothing has changed.',
  }));
  const listMatches = (query: string) =>
    matchEntries([...disabledEntries, ...entries], query).flatMap((group) => group.entries);
  expect(listMatches('')).toEqual(entries);
  expect(
    listMatches('open')
      .filter(({ group }) => group === 'Commands')
      .map(({ label }) => label),
  ).toEqual(['Open record by id', 'Reopen closed tab', 'Open a', 'Open b', 'Open c']);
});

test('finds a command by its synonyms', () => {
  const theme = { ...entry('Commands', 'Switch light and dark'), synonyms: 'theme settings' };
  expect(matchEntries([theme], 'theme')).toEqual([{ name: 'Commands', entries: [theme] }]);
});

test('requires every word in the label, the detail or the group', () => {
  expect(matchLabels('careplan/17')).toEqual([['Open tabs', 'Diabetes plan']]);
  expect(matchLabels('view qual')).toEqual([['Views', 'Quality']]);
  expect(matchLabels('tab nonsense')).toEqual([]);
});

test('puts the best match and its group first', () => {
  expect(matchLabels('close')).toEqual([['Commands', 'Close tab', 'Reopen closed tab']]);
  expect(matchLabels('open')).toEqual([
    ['Commands', 'Open record by id', 'Reopen closed tab'],
    ['Open tabs', 'Diabetes plan'],
  ]);
  expect(matchLabels('d')[0]).toEqual(['Open tabs', 'Diabetes plan']);
});
