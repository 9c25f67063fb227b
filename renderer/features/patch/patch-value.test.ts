import { expect, test } from 'vitest';
import { elementAt } from '../../../core/fhir/element-type.ts';
import { scan } from '../../../core/json/scan.ts';
import { controlOf, findValueProblem, shownControl } from './patch-value.ts';

test.each([
  ['/status', 'codes'],
  ['/activity/0/detail/doNotPerform', 'boolean'],
  ['/period/start', 'date'],
  ['/activity/0/detail/quantity/value', 'number'],
  ['/description', 'text'],
  ['/language', 'text'],
  ['/subject', 'json'],
  ['/instantiatesUri', 'json'],
  ['/unknown', 'free'],
])('edits %s in a field for %s', (path, control) => {
  expect(controlOf(elementAt('CarePlan', path), undefined)).toBe(control);
});

test('edits an unknown element by the type of its current value', () => {
  expect(controlOf(undefined, scan('1.0').root)).toBe('number');
  expect(controlOf(undefined, scan('{}').root)).toBe('json');
  expect(controlOf(undefined, scan('"x"').root)).toBe('text');
});

test("shows a value as JSON if its control can't show it", () => {
  expect(shownControl('"active"', 'codes')).toBe('codes');
  expect(shownControl('1.00', 'codes')).toBe('json');
  expect(shownControl('1.', 'number')).toBe('number');
  expect(shownControl('"1"', 'number')).toBe('json');
  expect(shownControl('', 'boolean')).toBe('boolean');
});

test.each([
  ['/status', '"active"', true],
  ['/status', '"begun"', false],
  ['/period/start', '"2024-02"', true],
  ['/period/start', '"2024-02-30"', false],
  ['/activity/0/detail/scheduledTiming/repeat/count', '2', true],
  ['/activity/0/detail/scheduledTiming/repeat/count', '2.0', false],
  ['/activity/0/detail/quantity/value', '2.0', true],
  ['/title', '3', false],
  ['/subject', '"Patient/1"', false],
  ['/category', '{}', false],
  ['/category', '[]', true],
])('validates if %s can hold %s', (path, json, fits) => {
  expect(findValueProblem(elementAt('CarePlan', path), scan(json).root) === undefined).toBe(fits);
});
