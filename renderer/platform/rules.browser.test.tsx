import { expect, test } from 'vitest';
import { findingsOf } from './rules.ts';

const plan = (extraMembers: string, status = 'active') =>
  `{"resourceType":"CarePlan","status":"${status}","intent":"plan","subject":{"reference":"Patient/1"}${extraMembers}}`;

test('validates texts in the worker and returns the findings in order', async () => {
  const firstRequest = findingsOf('CarePlan', [plan(',"titel":"x"'), plan(''), '[]']);
  const secondRequest = findingsOf('CarePlan', [plan('', 'activ')]);
  const expressions = (await Promise.all([firstRequest, secondRequest])).map((answer) =>
    answer.map((findings) => findings.map(({ expression }) => expression)),
  );
  expect(expressions).toEqual([
    [[['CarePlan.titel']], [], []],
    [expect.arrayContaining([['CarePlan.status']])],
  ]);
});

test('returns a finding for text that is not JSON and validates the other texts', async () => {
  const findings = await findingsOf('CarePlan', ['{"resourceType":', plan('')]);
  expect(findings).toEqual([[expect.objectContaining({ severity: 'error', code: 'structure' })], []]);
});
