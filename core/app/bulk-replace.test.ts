import { expect, test } from 'vitest';
import type { BulkOperation } from './bulk.ts';
import { examine } from './bulk-replace.ts';

const record =
  '{"resourceType":"CarePlan","status":"draft","intent":"plan","subject":{"reference":"Patient/a"},"activity":[{"detail":{"status":"doing","quantity":{"value":1.00}}},{"reference":{"reference":"Task/1"}},{"detail":{"status":"scheduled"}}]}';

const run = (...operations: BulkOperation[]) =>
  examine(record, 'CarePlan', operations, { level: 'standard', today: '2026-01-01' });

test('a change is told with the patch that makes it, old and new value', () => {
  expect(run({ path: '/status', value: '"active"' })).toEqual({
    state: 'ready',
    body: '[{"op":"replace","path":"/status","value":"active"}]',
    changes: [{ pointer: '/status', before: '"draft"', after: '"active"' }],
    warnings: [],
  });
});

test('a star is each item of a list that holds the element', () => {
  const all = run({ path: '/activity/*/detail/status', value: '"completed"' });
  expect(all).toMatchObject({
    changes: [{ before: '"doing"' }, { before: '"scheduled"', after: '"completed"' }],
  });
});

test('only where the given value stands, compared by its digits', () => {
  const only = run({ path: '/activity/*/detail/status', value: '"in-progress"', now: '"doing"' });
  expect(only).toMatchObject({ changes: [{ pointer: '/activity/0/detail/status' }] });
  const path = '/activity/*/detail/quantity/value';
  expect(run({ path, value: '2.0', now: '1.0' })).toMatchObject({ state: 'unchanged' });
  expect(run({ path, value: '2.0', now: '1.00' })).toMatchObject({ changes: [{ after: '2.0' }] });
});

test('what the record already holds is unchanged', () => {
  expect(run({ path: '/status', value: '"draft"' })).toMatchObject({ state: 'unchanged' });
});

test.each([
  ['/title', '"x"'],
  ['/note/*/text', '"x"'],
  ['/id', '"x"'],
  ['status', '"active"'],
])('%s cannot be replaced, and the reason is said', (path, value) => {
  const { state, detail } = { detail: '', ...run({ path, value }) };
  expect(state).toBe('cannot');
  expect(detail).not.toBe('');
});

test('a result with a new error would be refused; an old error is no reason', () => {
  expect(run({ path: '/status', value: '"actve"' })).toMatchObject({
    state: 'refused',
    detail: expect.stringContaining('CarePlan.status'),
  });
  expect(run({ path: '/activity/0/detail/status', value: '"going"' }).state).toBe('ready');
  const off = { level: 'off', today: '2026-01-01' } as const;
  expect(examine(record, 'CarePlan', [{ path: '/status', value: '"x"' }], off).state).toBe('ready');
});

test('a narrative that is left behind is a warning', () => {
  const told = record.replace(
    '"status":"draft"',
    '"text":{"status":"generated","div":"<div xmlns=\\"http://www.w3.org/1999/xhtml\\">Draft</div>"},"status":"draft"',
  );
  const options = { level: 'standard', today: '2026-01-01' } as const;
  const examined = examine(told, 'CarePlan', [{ path: '/status', value: '"active"' }], options);
  expect(examined).toMatchObject({ state: 'ready', warnings: [expect.stringContaining('CarePlan.text')] });
});
