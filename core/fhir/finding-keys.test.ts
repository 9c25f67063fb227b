import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { FindingKeys } from './finding-keys.ts';
import type { Issue } from './text-validation.ts';

const read = (...names: readonly string[]) =>
  scan(JSON.stringify({ activity: names.map((description) => ({ detail: { description } })) })).root;
const at = (index: number, rule = 'a'): Issue => ({
  rule,
  severity: 'error',
  category: 'conformance',
  text: 'It is wrong.',
  expression: `CarePlan.activity[${index}]`,
  pointer: `/activity/${index}/detail`,
  start: 0,
  end: 1,
});

test('keeps the key of a finding whose item moved', () => {
  const keys = new FindingKeys();
  const [walk, swim] = keys.name(read('Walk', 'Swim'), [at(0), at(1)]);
  expect(walk).not.toBe(swim);
  expect(keys.name(read('Swim'), [at(0)])).toEqual([swim]);
  expect(keys.name(read('Rest', 'Swim'), [at(0), at(1)])[1]).toBe(swim);
});

test('gives another finding of the same element a key of its own', () => {
  const keys = new FindingKeys();
  const [first] = keys.name(read('Walk'), [at(0)]);
  const [second, third, fourth] = keys.name(read('Walk'), [at(0, 'b'), at(0), at(0)]);
  expect(third).toBe(first);
  expect(new Set([second, third, fourth]).size).toBe(3);
});

test('knows the findings again after a text that was no JSON', () => {
  const keys = new FindingKeys();
  const [walk] = keys.name(read('Walk'), [at(0)]);
  expect(keys.name(undefined, [at(0, 'json')])).not.toContain(walk);
  expect(keys.name(read('Walk'), [at(0)])).toEqual([walk]);
});
