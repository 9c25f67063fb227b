import { expect, test } from 'vitest';
import { findingsOf } from './rules.ts';

const plan = (more: string, status = 'active') =>
  `{"resourceType":"CarePlan","status":"${status}","intent":"plan","subject":{"reference":"Patient/1"}${more}}`;

test('texts are judged off the page, each in its place, and question after question', async () => {
  const first = findingsOf('CarePlan', [plan(',"titel":"x"'), plan(''), '[]']);
  const second = findingsOf('CarePlan', [plan('', 'activ')]);
  const told = (await Promise.all([first, second])).map((answer) =>
    answer.map((findings) => findings.map(({ expression }) => expression)),
  );
  expect(told).toEqual([[[['CarePlan.titel']], [], []], [expect.arrayContaining([['CarePlan.status']])]]);
});

test('a text that is no JSON has that as its finding, and no other text goes without an answer', async () => {
  const findings = await findingsOf('CarePlan', ['{"resourceType":', plan('')]);
  expect(findings).toEqual([[expect.objectContaining({ severity: 'error', code: 'structure' })], []]);
});
