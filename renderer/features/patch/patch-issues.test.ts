import { expect, test } from 'vitest';
import { placeIssues } from './patch-issues.ts';

const rows = [
  { key: 4, path: '/period', value: '{}' },
  { key: 7, path: '/activity/0/detail/status', value: '"x"' },
];
const issue = (text: string, members: object) => ({
  severity: 'error',
  code: 'value',
  details: { text },
  ...members,
});

test('assigns an issue to the operation of its index or element', () => {
  const { byRow, otherIssues } = placeIssues(
    [
      issue('by index', { diagnostics: 'op[1]: target missing' }),
      issue('by element', { expression: ['CarePlan.activity[0].detail.status'] }),
      issue('within', { expression: ['CarePlan.period.start'] }),
      issue('elsewhere', { expression: ['CarePlan.periodical'] }),
      issue('of no element', {}),
    ],
    rows,
    'CarePlan',
  );
  expect(byRow.get(7)).toEqual(['by index', 'by element']);
  expect(byRow.get(4)).toEqual(['within']);
  expect(otherIssues.map(({ details }) => details?.text)).toEqual(['elsewhere', 'of no element']);
});
