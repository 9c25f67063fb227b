import { expect, test } from 'vitest';
import type { CheckOutcome, CheckExpressions } from '../app/checks.ts';
import { compileCheck } from './check.ts';

const plan = {
  resourceType: 'CarePlan',
  status: 'active',
  activity: [{ detail: { scheduledString: 'daily' } }, { detail: { description: 'Walk' } }],
};

test.each<[what: string, question: Partial<CheckExpressions> & { holds: string }, asked: CheckOutcome]>([
  ['of another type', { type: 'Composition', holds: 'true' }, { is: 'none' }],
  ['that does not apply', { applies: "status = 'draft'", holds: 'false' }, { is: 'none' }],
  ['whose applies gives nothing', { applies: 'title', holds: 'false' }, { is: 'none' }],
  ['that applies and is false', { applies: 'status', holds: 'false' }, { is: 'broken', pointers: [''] }],
  ['that is true', { holds: "status = 'active'" }, { is: 'holds' }],
  ['that gives any other single value', { holds: 'status' }, { is: 'holds' }],
  ['that gives nothing', { holds: 'title' }, { is: 'broken', pointers: [''] }],
  [
    'that gives several values',
    { holds: 'activity' },
    { is: 'skipped', why: 'holds returns 2 values; one is expected.' },
  ],
  [
    'whose applies gives several',
    { applies: 'activity', holds: 'true' },
    { is: 'skipped', why: 'applies returns 2 values; one is expected.' },
  ],
])('evaluates a check %s', (_label, question, expected) => {
  expect(compileCheck({ type: 'CarePlan', ...question })(plan)).toEqual(expected);
});

test.each([
  ['activity.detail.scheduled', ['/activity/0/detail/scheduledString']],
  ['activity.detail', ['/activity/0/detail', '/activity/1/detail']],
  ['CarePlan', ['']],
  ['CarePlan.status | status', ['/status']],
  ["'made up'", ['']],
  ['title', ['']],
  ['activity.where($index = 10)', ['/activity/10']],
])('reports violations at the elements of %s', (points, pointers) => {
  const check = compileCheck({ type: 'CarePlan', holds: 'false', points });
  const activity = [...plan.activity, ...Array(9).fill({ reference: { display: 'x' } })] as unknown[];
  expect(check({ ...plan, activity })).toEqual({ is: 'broken', pointers });
});
