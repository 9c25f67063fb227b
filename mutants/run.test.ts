import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutants } from './list.ts';
import { mutated, patternOf } from './mutant.ts';
import { root } from '../scripts/bundles.ts';
import { endingOf } from './tree.ts';
import { mutantSection } from './section.ts';

const read = (file: string) => readFileSync(resolve(root, file), 'utf8');

describe.each(mutants.map((mutant) => [mutant.mechanism, mutant] as const))('%s', (_, mutant) => {
  test('its line is there once, and is another with the mutant', () => {
    const source = read(mutant.file);
    expect(mutated(source, mutant)).not.toBe(source);
  });

  test('its test is there', () => {
    const { file, title, from = file } = mutant.test;
    const literals = ["'", '"', '`'].map((quote) => quote + title + quote);
    expect(literals.some((literal) => read(from).includes(literal))).toBe(true);
  });
});

test('each mechanism has a name of its own, and a page tells each', () => {
  const names = mutants.map(({ mechanism }) => mechanism);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(50);
});

test('a line that is not there, or twice, is no mutant', () => {
  const mutant = { mechanism: 'm', file: 'f', text: 'ab', test: { file: 't', title: 't' } };
  expect(mutated('1ab2', mutant)).toBe('12');
  for (const source of ['', 'abab']) expect(() => mutated(source, mutant)).toThrow(/f holds [02] times/);
});

test.each([
  ['row 1: %s is (400) [x]', 'a > row 1: any thing is (400) [x]', true],
  ['row 1: %s is (400) [x]', 'row 1: is 400 x', false],
  ['a $name', 'a value', true],
])('%s finds %s: %s', (title, filled, found) => {
  expect(new RegExp(patternOf({ file: '', title })).test(filled)).toBe(found);
});

const ending = (...results: { status: string; failureMessages?: string[] }[]) =>
  endingOf({ testResults: [{ assertionResults: results }] });

test('only a test that ran and failed by an assertion has noticed', () => {
  const asserted = { status: 'failed', failureMessages: ['AssertionError: expected 1 to be 2'] };
  expect(ending({ status: 'passed' }, { status: 'skipped' })).toBe('passed');
  expect(ending({ status: 'passed' }, asserted)).toBe('failed');
  expect(ending({ status: 'failed', failureMessages: ['Error: expected false to be true'] })).toBe('failed');
  expect(ending({ status: 'failed', failureMessages: ['SyntaxError: x'] })).toBe('broken');
  expect(ending({ status: 'skipped' })).toBe('broken');
  expect(ending()).toBe('broken');
});

test('the page shows the change, the test, and what was not noticed', () => {
  const [mutant] = mutants;
  if (!mutant) throw new Error('no mutants');
  const page = mutantSection(
    [
      { mutant, verdict: 'noticed' },
      { mutant: { ...mutant, mechanism: 'Other' }, verdict: 'unnoticed' },
    ],
    'node x',
  );
  expect(page).toContain('1 of 2 noticed');
  expect(page).toContain(`Noticed by \`${mutant.test.file}\`, \`${mutant.test.title}\``);
  expect(page).toMatch(/Other.*\*\*unnoticed\*\*/);
  expect(page).toMatch(/Date: \d{4}-\d\d-\d\d/);
});
