import { expect, test } from 'vitest';
import { followOperations, nameItems } from './bulk-follow.ts';

const plan = (...names: readonly string[]) =>
  JSON.stringify({
    activity: names.map((description) => ({ detail: { description, status: 'scheduled' } })),
  });
const createOperation = (path: string) => ({ path, value: '"completed"' });
const secondOperation = createOperation('/activity/1/detail/status');

test('follows an item to its index in another version', () => {
  const result = followOperations([secondOperation], plan('Walk', 'Swim'), plan('Read', 'Walk', 'Swim'));
  expect(result).toEqual({ operations: [createOperation('/activity/2/detail/status')] });
});

test('returns the path of an item that another version lacks', () => {
  const result = followOperations([secondOperation], plan('Walk', 'Swim', 'Read'), plan('Walk', 'Read'));
  expect(result).toEqual({ missingPath: '/activity/1/detail/status' });
});

test('leaves operations without an index unchanged', () => {
  const operations = [
    createOperation('/status'),
    createOperation('/activity/*/detail/status'),
    { kind: 'fix' as const, fix: 'a' },
  ];
  expect(nameItems(operations)).toBe(false);
  expect(followOperations(operations, plan('Walk'), plan('Swim'))).toEqual({ operations: operations });
});

test('follows each item of a path with an index and *', () => {
  const path = createOperation('/activity/*/detail/goal/0');
  const text = (...goals: readonly object[]) => JSON.stringify({ activity: [{ detail: { goal: goals } }] });
  const [walk, swim] = [{ reference: 'Goal/walk' }, { reference: 'Goal/swim' }];
  expect(nameItems([path])).toBe(true);
  expect(followOperations([path], text(walk, swim), text(swim, walk))).toEqual({
    operations: [createOperation('/activity/0/detail/goal/1')],
  });
});
