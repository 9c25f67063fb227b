import { expect, test } from 'vitest';
import { followOperations, nameItems } from './bulk-follow.ts';

const plan = (...names: readonly string[]) =>
  JSON.stringify({
    activity: names.map((description) => ({ detail: { description, status: 'scheduled' } })),
  });
const at = (path: string) => ({ path, value: '"completed"' });
const second = at('/activity/1/detail/status');

test('follows an item that stands at another index in another version', () => {
  const followed = followOperations([second], plan('Walk', 'Swim'), plan('Read', 'Walk', 'Swim'));
  expect(followed).toEqual({ operations: [at('/activity/2/detail/status')] });
});

test('names the item that another version no longer has', () => {
  const followed = followOperations([second], plan('Walk', 'Swim', 'Read'), plan('Walk', 'Read'));
  expect(followed).toEqual({ gone: '/activity/1/detail/status' });
});

test('keeps operations that name no item by its index', () => {
  const all = [at('/status'), at('/activity/*/detail/status'), { kind: 'fix' as const, fix: 'a' }];
  expect(nameItems(all)).toBe(false);
  expect(followOperations(all, plan('Walk'), plan('Swim'))).toEqual({ operations: all });
});

test('follows each item that a path with an index and * names', () => {
  const path = at('/activity/*/detail/goal/0');
  const text = (...goals: readonly object[]) => JSON.stringify({ activity: [{ detail: { goal: goals } }] });
  const [walk, swim] = [{ reference: 'Goal/walk' }, { reference: 'Goal/swim' }];
  expect(nameItems([path])).toBe(true);
  expect(followOperations([path], text(walk, swim), text(swim, walk))).toEqual({
    operations: [at('/activity/0/detail/goal/1')],
  });
});
