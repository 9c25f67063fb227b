import { expect, test } from 'vitest';
import { evaluateAt } from './compute-evaluate.ts';

const record = JSON.stringify({
  resourceType: 'CarePlan',
  language: 'en_GB',
  status: 'draft',
  created: '2026-01-02T10:00:00',
  period: { start: '2026-01-01' },
  activity: [{ detail: { status: 'doing', quantity: { value: 1.5 } } }, { detail: { status: 'done' } }],
});

const evaluateFirst = (expression: string, pointer = '/language', base = 'CarePlan.language') =>
  evaluateAt({ expression, record, places: [{ pointer, base }] })[0];

test.each([
  ["$this.replace('_', '-')", { value: 'en-GB' }],
  ["iif($this = 'en_GB', 'en-GB', $this)", { value: 'en-GB' }],
  ['%resource.status', { value: 'draft' }],
  ["%resource.created.toString() & '+01:00'", { value: '2026-01-02T10:00:00+01:00' }],
  ['%resource.period.start + 3 days', { value: '2026-01-04' }],
  ["$this = 'en_GB'", { value: true }],
])('evaluates %s to one value', (expression, value) => {
  expect(evaluateFirst(expression)).toEqual(value);
});

test.each([
  ['{}', /nothing/],
  ["''", /empty/],
  ['%resource.activity.detail.status', /2 values/],
  ['1 + 1', /number/],
  ['%resource.activity[0].detail.quantity.value', /number/],
  ['%resource.activity[0].detail.quantity', /object/],
  ["4 'kg'", /object/],
  ['none()', /^Can’t evaluate the expression: Not implemented: none\.$/],
])('rejects %s with a message', (expression, cannot) => {
  expect(evaluateFirst(expression)).toEqual({ cannot: expect.stringMatching(cannot) });
});

test('evaluates each element separately', () => {
  const places = [0, 1].map((index) => ({
    pointer: `/activity/${index}/detail/status`,
    base: 'CarePlan.activity.detail.status',
  }));
  expect(evaluateAt({ expression: "$this & '!'", record, places })).toEqual([
    { value: 'doing!' },
    { value: 'done!' },
  ]);
});
