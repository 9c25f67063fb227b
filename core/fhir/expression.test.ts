import { expect, test } from 'vitest';
import { expressionAt, pointerAt, pointerOfPath } from './expression.ts';

test.each([
  ['CarePlan.activity[0].detail.status', '/activity/0/detail/status'],
  ['Composition', ''],
  ['CarePlan.contained[1].name[0].given[2]', '/contained/1/name/0/given/2'],
])('%s is at %s, and back', (expression, pointer) => {
  expect(pointerAt(expression)).toBe(pointer);
  const [type = ''] = expression.split('.');
  expect(expressionAt(type, pointer.split('/').slice(1))).toBe(expression);
});

test('a name that is none of FHIR is delimited, and cut where it is too long', () => {
  expect(expressionAt('CarePlan', ['a.b', '`', 'c\\', ''])).toBe('CarePlan.`a.b`.`\\``.`c\\\\`.``');
  expect(expressionAt('CarePlan', ['x'.repeat(5000)]).length).toBeLessThan(150);
});

test.each(['CarePlan.activity.where(id = 1)', 'http.If-Match', '', "CarePlan.extension('x')"])(
  '%s names no element',
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
])('%s is written %s', (written, pointer) => {
  expect(pointerOfPath(written, 'CarePlan')).toBe(pointer);
});
