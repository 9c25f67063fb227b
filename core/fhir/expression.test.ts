import { expect, test } from 'vitest';
import { expressionAt, pointerAt, pointerOfPath } from './validation/finding.ts';

test.each([
  ['CarePlan.activity[0].detail.status', '/activity/0/detail/status'],
  ['Composition', ''],
  ['CarePlan.contained[1].name[0].given[2]', '/contained/1/name/0/given/2'],
])('converts %s to the pointer %s and back', (expression, pointer) => {
  expect(pointerAt(expression)).toBe(pointer);
  const [type = ''] = expression.split('.');
  expect(expressionAt(type, pointer.split('/').slice(1))).toBe(expression);
});

test('delimits a name that is invalid in FHIR and truncates a long one', () => {
  expect(expressionAt('CarePlan', ['a.b', '`', 'c\\', ''])).toBe('CarePlan.`a.b`.`\\``.`c\\\\`.``');
  expect(expressionAt('CarePlan', ['x'.repeat(5000)]).length).toBeLessThan(150);
});

test.each(['CarePlan.activity.where(id = 1)', 'http.If-Match', '', "CarePlan.extension('x')"])(
  'returns undefined for %s',
  (expression) => {
    expect(pointerAt(expression)).toBeUndefined();
  },
);

test.each([
  ['/activity/0/detail', '/activity/0/detail'],
  ['activity[0].detail', '/activity/0/detail'],
  [' CarePlan.activity[0].detail ', '/activity/0/detail'],
  ['CarePlan › activity › [0] › detail', '/activity/0/detail'],
  ['CarePlan › activity[0] › detail', '/activity/0/detail'],
  ['period.', '/period'],
  ['status', '/status'],
  ['CarePlan', ''],
  ['', ''],
  ['activity.where(id = 1)', 'activity.where(id = 1)'],
])('converts the input %s to %s', (input, pointer) => {
  expect(pointerOfPath(input, 'CarePlan')).toBe(pointer);
});
