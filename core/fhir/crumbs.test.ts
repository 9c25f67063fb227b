import { expect, test } from 'vitest';
import { listBreadcrumbs } from './expression.ts';

test('an item and its list are one step that leads to the item', () => {
  expect(listBreadcrumbs('CarePlan', ['activity', '0', 'detail', 'status'])).toEqual([
    { name: 'CarePlan', pointer: '' },
    { name: 'activity[0]', pointer: '/activity/0' },
    { name: 'detail', pointer: '/activity/0/detail' },
    { name: 'status', pointer: '/activity/0/detail/status' },
  ]);
});

test('a number that stands directly in the record is a step of its own', () => {
  expect(listBreadcrumbs('CarePlan', ['0']).map(({ name }) => name)).toEqual(['CarePlan', '0']);
});
