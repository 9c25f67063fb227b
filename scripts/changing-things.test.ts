import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';
import { changed, changesOf, holds } from './changing-things.ts';

const changes = changesOf(readFileSync(join(root, 'docs/changing-things.md'), 'utf8'));

test('the page tells of a column, a search parameter, a rule, a quick fix and a command', () => {
  expect(changes.map(({ title }) => title)).toEqual([
    'A column of the results',
    'A search parameter',
    'A validation rule',
    'A quick fix',
    'A command',
  ]);
});

test.each(changes.flatMap(({ title, hunks }) => hunks.map((hunk) => ({ title, ...hunk }))))(
  '$title: what the page changes in $file stands there, or what it changes it to',
  (hunk) => {
    const text = readFileSync(join(root, hunk.file), 'utf8');
    const made = changed(text, hunk);
    expect(made !== undefined || holds(text, hunk)).toBe(true);
    if (made !== undefined) expect(holds(made, hunk)).toBe(true);
  },
);

test('a change whose place is gone is noticed', () => {
  const hunk = { file: 'a.ts', place: 'rows', before: ['  one,'], after: ['  two,'] };
  expect(changed('const rows = [\n  one,\n];', hunk)).toBe('const rows = [\n  two,\n];');
  expect(changed('const rows = [\n  other,\n];', hunk)).toBeUndefined();
  expect(changed('const rows = [\n];', { ...hunk, before: [] })).toBe('const rows = [\n  two,\n];');
  expect(changed('const lines = [\n];', { ...hunk, before: [] })).toBeUndefined();
});
