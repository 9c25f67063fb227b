import { expect, test } from 'vitest';
import { elementAt, hasForm } from './element-type.ts';

test.each([
  ['CarePlan', '/status', 'code', 7],
  ['CarePlan', '/activity/0/detail/status', 'code', 9],
  ['CarePlan', '/text/status', 'code', 4],
  ['Composition', '/attester/1/mode', 'code', 4],
  ['Composition', '/section/0/section/2/mode', 'code', 3],
])('returns for %s %s the type %s with %i codes', (type, pointer, name, codes) => {
  expect(elementAt(type, pointer)).toMatchObject({ type: name, primitive: true, repeats: false });
  expect(elementAt(type, pointer)?.codes).toHaveLength(codes);
});

test.each([
  ['/period', 'Period', false, false],
  ['/period/start', 'dateTime', true, false],
  ['/category', 'CodeableConcept', false, true],
  ['/category/0', 'CodeableConcept', false, false],
  ['/category/0/coding/3/userSelected', 'boolean', true, false],
  ['/activity/0/detail/quantity/value', 'decimal', true, false],
  ['/activity/0/detail/scheduledTiming/repeat/dayOfWeek', 'code', true, true],
  ['/_title', 'Element', false, false],
  ['/_title/extension/0/valueString', 'string', true, false],
  ['/instantiatesUri/0', 'uri', true, false],
])('returns for %s the type %s', (pointer, type, primitive, repeats) => {
  expect(elementAt('CarePlan', pointer)).toMatchObject({ type, primitive, repeats });
});

test.each([
  '',
  'status',
  '/nothing',
  '/status/0',
  '/category/x',
  '/constructor',
  '/_subject',
  '/contained/0/status',
])('returns undefined for %o', (pointer) => {
  expect(elementAt('CarePlan', pointer)).toBeUndefined();
});

test.each([
  ['date', '2024-02', true],
  ['date', '2024-13', false],
  ['date', '2024-02-01T10:00:00Z', false],
  ['dateTime', '2024-02-01T10:00:00Z', true],
  ['dateTime', '2024-02-01T10:00', false],
  ['uri', 'urn:a b', false],
  ['markdown', 'a\nb', true],
  ['string', '', false],
])('checks the form of a %s: %j', (type, value, fits) => {
  expect(hasForm(type, value)).toBe(fits);
});
