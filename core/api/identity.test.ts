import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { bundleDepth, identify, matchesIdentity, type ExpectedIdentity } from './identity.ts';

const plan = '"resourceType":"CarePlan","id":"1"';
const expected = { type: 'CarePlan', id: '1' } as const;

test.each([
  [`{${plan}}`, 'asked'],
  [`{${plan},"__proto__":{}}`, 'asked'],
  [`{${plan},"id":"1"}`, 'no FHIR'],
  [`{${plan.replace('"1"', '"2"')}}`, 'stray'],
  ['{"resourceType":"OperationOutcome"}', 'outcome'],
  ['{"id":"1"}', 'no FHIR'],
  ['<html>', 'no FHIR'],
])('classifies %s for a request of CarePlan/1 as %s', (text, identity) => {
  expect(identify(text, expected)).toBe(identity);
});

test.each([
  ['{"resourceType":"Bundle"}', 'asked'],
  [`{"resourceType":"Bundle","entry":[{"resource":{${plan}}},{}]}`, 'asked'],
  ['{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Goal"}}]}', 'stray'],
  [
    '{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"Goal"},"search":{"mode":"include"}}]}',
    'asked',
  ],
  ['{"resourceType":"Bundle","entry":[{"resource":{"resourceType":"OperationOutcome"}}]}', 'asked'],
  [`{${plan}}`, 'stray'],
  ['{"resourceType":"Goal"}', 'stray'],
])('classifies %s for a request of a list of plans as %s', (text, identity) => {
  expect(identify(text, { type: 'CarePlan', list: true })).toBe(identity);
});

test('accepts any FHIR without a request and rejects deep text', () => {
  expect(identify('{"resourceType":"Goal"}', undefined)).toBe('asked');
  const nested = (levels: number) => `{${plan},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(identify(nested(bundleDepth - 1), undefined)).toBe('asked');
  expect(identify(nested(bundleDepth), undefined)).toBe('no FHIR');
});

test.each<[record: object, expected: ExpectedIdentity, isMatch: boolean]>([
  [{ resourceType: 'CarePlan' }, {}, true],
  [{ resourceType: 'Patient' }, {}, false],
  [{}, {}, false],
  [{ resourceType: 'CarePlan', meta: { versionId: '2' } }, { version: '2' }, true],
  [{ resourceType: 'CarePlan', meta: { versionId: '2' } }, { version: '3' }, false],
  [{ resourceType: 'CarePlan' }, { version: '3' }, true],
  [{ resourceType: 'CarePlan' }, { id: 'a' }, false],
])('compares %j with the expected %j: %s', (record, sought, isMatch) => {
  expect(matchesIdentity(scan(JSON.stringify(record)).root, sought)).toBe(isMatch);
});
