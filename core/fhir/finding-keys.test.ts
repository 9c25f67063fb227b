import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { FindingKeys } from './finding-keys.ts';
import type { Issue } from './text-validation.ts';

const parseActivities = (...names: readonly string[]) =>
  scan(JSON.stringify({ activity: names.map((description) => ({ detail: { description } })) })).root;
const issueAt = (index: number, rule = 'a'): Issue => ({
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
  const [walk, swim] = keys.name(parseActivities('Walk', 'Swim'), [issueAt(0), issueAt(1)]);
  expect(walk).not.toBe(swim);
  expect(keys.name(parseActivities('Swim'), [issueAt(0)])).toEqual([swim]);
  expect(keys.name(parseActivities('Rest', 'Swim'), [issueAt(0), issueAt(1)])[1]).toBe(swim);
});

test('assigns a new key to another finding of the same element', () => {
  const keys = new FindingKeys();
  const [firstKey] = keys.name(parseActivities('Walk'), [issueAt(0)]);
  const [ruleKey, sameKey, duplicateKey] = keys.name(parseActivities('Walk'), [
    issueAt(0, 'b'),
    issueAt(0),
    issueAt(0),
  ]);
  expect(sameKey).toBe(firstKey);
  expect(new Set([ruleKey, sameKey, duplicateKey]).size).toBe(3);
});

test('restores keys after a text that was not JSON', () => {
  const keys = new FindingKeys();
  const [walk] = keys.name(parseActivities('Walk'), [issueAt(0)]);
  expect(keys.name(undefined, [issueAt(0, 'json')])).not.toContain(walk);
  expect(keys.name(parseActivities('Walk'), [issueAt(0)])).toEqual([walk]);
});
