import { expect, test } from 'vitest';
import { identify } from './identity.ts';

const plan = '"resourceType":"CarePlan","id":"1"';
const asked = { type: 'CarePlan', id: '1' } as const;

test.each([
  [`{${plan}}`, 'asked'],
  [`{${plan},"__proto__":{}}`, 'asked'],
  [`{${plan},"id":"1"}`, 'no FHIR'],
  [`{${plan.replace('"1"', '"2"')}}`, 'stray'],
  ['{"resourceType":"OperationOutcome"}', 'outcome'],
  ['{"id":"1"}', 'no FHIR'],
  ['<html>', 'no FHIR'],
])('%s, where CarePlan/1 was asked for, is %s', (text, is) => {
  expect(identify(text, asked)).toBe(is);
});
