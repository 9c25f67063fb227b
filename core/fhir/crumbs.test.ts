import { expect, test } from 'vitest';
import { listBreadcrumbs } from './validation/finding.ts';

test('combines an item and its list into one step with the pointer of the item', () => {
  expect(listBreadcrumbs('CarePlan', ['activity', '0', 'detail', 'status'])).toEqual([
    { name: 'CarePlan', pointer: '' },
    { name: 'activity[0]', pointer: '/activity/0' },
    { name: 'detail', pointer: '/activity/0/detail' },
    { name: 'status', pointer: '/activity/0/detail/status' },
  ]);
});

test('lists a number directly in the record as its own step', () => {
  expect(listBreadcrumbs('CarePlan', ['0']).map(({ name }) => name)).toEqual(['CarePlan', '0']);
});
