import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { bundleDepth, identify, isAsked, type Asked } from './identity.ts';

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
])('%s, where a list of plans was asked for, is %s', (text, is) => {
  expect(identify(text, { type: 'CarePlan', list: true })).toBe(is);
});

test('whatever is FHIR is as asked where nothing was; a deep text is none', () => {
  expect(identify('{"resourceType":"Goal"}', undefined)).toBe('asked');
  const nested = (levels: number) => `{${plan},"x":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  expect(identify(nested(bundleDepth - 1), undefined)).toBe('asked');
  expect(identify(nested(bundleDepth), undefined)).toBe('no FHIR');
});

test.each<[record: object, asked: Asked, is: boolean]>([
  [{ resourceType: 'CarePlan' }, {}, true],
  [{ resourceType: 'Patient' }, {}, false],
  [{}, {}, false],
  [{ resourceType: 'CarePlan', meta: { versionId: '2' } }, { version: '2' }, true],
  [{ resourceType: 'CarePlan', meta: { versionId: '2' } }, { version: '3' }, false],
  [{ resourceType: 'CarePlan' }, { version: '3' }, true],
  [{ resourceType: 'CarePlan' }, { id: 'a' }, false],
])('%j is what was asked for by %j: %s', (record, sought, is) => {
  expect(isAsked(scan(JSON.stringify(record)).root, sought)).toBe(is);
});
