import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';
import { applyHunk, listTestedChanges, isApplied } from './changing-things.ts';

const changes = listTestedChanges(readFileSync(join(root, 'docs/changing-things.md'), 'utf8'));

test('describes a column, a search parameter, a rule, a quick fix and a command', () => {
  expect(changes.map(({ title }) => title)).toEqual([
    'A column of the results',
    'A search parameter',
    'A validation rule',
    'A quick fix',
    'A command',
  ]);
});

test.each(changes.flatMap(({ title, hunks }) => hunks.map((hunk) => ({ title, ...hunk }))))(
  '$title: finds in $file the code before or after the change',
  (hunk) => {
    const text = readFileSync(join(root, hunk.file), 'utf8');
    const changedText = applyHunk(text, hunk);
    expect(changedText !== undefined || isApplied(text, hunk)).toBe(true);
    if (changedText !== undefined) expect(isApplied(changedText, hunk)).toBe(true);
  },
);

test('notices that the position of a change is missing', () => {
  const hunk = { file: 'a.ts', place: 'rows', before: ['  one,'], after: ['  two,'] };
  expect(applyHunk('const rows = [\n  one,\n];', hunk)).toBe('const rows = [\n  two,\n];');
  expect(applyHunk('const rows = [\n  other,\n];', hunk)).toBeUndefined();
  expect(applyHunk('const rows = [\n];', { ...hunk, before: [] })).toBe('const rows = [\n  two,\n];');
  expect(applyHunk('const lines = [\n];', { ...hunk, before: [] })).toBeUndefined();
});
