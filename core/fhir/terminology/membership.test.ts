import { expect, test } from 'vitest';
import { setOf } from '../profiles/testing/sets.ts';
import { terminologyOf } from './membership.ts';
import { withR4 } from './r4.ts';

const system = 'http://ward.example/codes';
const completeSystem = {
  resourceType: 'CodeSystem',
  url: system,
  content: 'complete',
  caseSensitive: true,
  concept: [
    { code: 'a', display: 'A', concept: [{ code: 'aa', concept: [{ code: 'aaa' }] }] },
    { code: 'b', property: [{ code: 'subsumedBy', valueCode: 'aa' }] },
    { code: 'c' },
    { code: 'd', property: [{ code: 'parent', valueCode: 'aa' }] },
  ],
};
const fragment = { ...completeSystem, url: 'http://ward.example/part', content: 'fragment' };
const caseInsensitive = { ...completeSystem, url: 'http://ward.example/folded', caseSensitive: false };

/** Returns whether a code is in a value set with this compose, or the missing definition. */
function membership(compose: unknown, code: string, codeSystem: string | undefined): string {
  const sets = [
    { resourceType: 'ValueSet', url: 'http://ward.example/set', compose },
    {
      resourceType: 'ValueSet',
      url: 'http://ward.example/other',
      compose: { include: [{ system, concept: [{ code: 'a' }] }] },
    },
    {
      resourceType: 'ValueSet',
      url: 'http://ward.example/circle',
      compose: { include: [{ valueSet: ['http://ward.example/circle'] }] },
    },
  ];
  const terminology = terminologyOf(withR4(setOf([completeSystem, fragment, caseInsensitive, ...sets])));
  const result = terminology.membership('http://ward.example/set', { system: codeSystem, code });
  return result.status === 'undecided' ? result.needs.text : result.status;
}

const filtered = (op: string, value: string, property = 'concept') => ({
  include: [{ system, filter: [{ property, op, value }] }],
});

test.each<[what: string, compose: unknown, code: string, found: string]>([
  ['a list', { include: [{ system, concept: [{ code: 'a' }] }] }, 'a', 'in'],
  ['a list', { include: [{ system, concept: [{ code: 'a' }] }] }, 'b', 'out'],
  ['a whole system', { include: [{ system }] }, 'aaa', 'in'],
  ['a whole system', { include: [{ system }] }, 'A', 'out'],
  ['is-a, by the tree', filtered('is-a', 'a'), 'aaa', 'in'],
  ['is-a, by a property', filtered('is-a', 'a'), 'b', 'in'],
  ['is-a, by the property parent', filtered('is-a', 'a'), 'd', 'in'],
  ['is-a, itself', filtered('is-a', 'aa'), 'aa', 'in'],
  ['is-a', filtered('is-a', 'aa'), 'c', 'out'],
  ['descendent-of, itself', filtered('descendent-of', 'aa'), 'aa', 'out'],
  ['descendent-of', filtered('descendent-of', 'aa'), 'b', 'in'],
  ['is-not-a', filtered('is-not-a', 'a'), 'c', 'in'],
  ['in', filtered('in', 'a, c'), 'c', 'in'],
  ['another filter', filtered('regex', 'a.*'), 'a', `the filter concept regex on CodeSystem ${system}`],
  [
    'what is taken out',
    { include: [{ system }], exclude: [{ system, concept: [{ code: 'a' }] }] },
    'a',
    'out',
  ],
  ['another set', { include: [{ valueSet: ['http://ward.example/other'] }] }, 'a', 'in'],
  ['a set within another', { include: [{ system, valueSet: ['http://ward.example/other'] }] }, 'b', 'out'],
  ['a set that is not here', { include: [{ valueSet: ['http://x'] }] }, 'a', 'ValueSet http://x'],
  [
    'a circle',
    { include: [{ valueSet: ['http://ward.example/circle'] }] },
    'a',
    'ValueSet http://ward.example/circle',
  ],
])('tests membership in %s: %j is %s', (_description, compose, code, expected) => {
  expect(membership(compose, code, system)).toBe(expected);
});

test('is undecided without a complete system, but decides codes of other systems', () => {
  const snomed = {
    include: [
      { system: 'http://snomed.info/sct', filter: [{ property: 'concept', op: 'is-a', value: '1' }] },
    ],
  };
  expect(membership(snomed, '1', 'http://snomed.info/sct')).toBe('CodeSystem http://snomed.info/sct');
  expect(membership(snomed, '1', system)).toBe('out');
  expect(membership({ include: [{ system: fragment.url }] }, 'a', fragment.url)).toBe(
    `CodeSystem ${fragment.url}`,
  );
});

const listedCodes = [{ system, code: 'a', contains: [{ system, code: 'aa' }] }];
const codesAreMissing = {
  status: 'undecided',
  needs: expect.objectContaining({ messageCode: 'needs.valueSetCodes' }),
};

test.each<[what: string, expansion: object, code: string, found: object]>([
  ['a code that it lists', { contains: listedCodes }, 'aa', { status: 'in' }],
  ['a code that it does not list', { contains: listedCodes }, 'b', { status: 'out' }],
  [
    'a code that it does not list, being only a part',
    { contains: listedCodes, total: 9 },
    'b',
    codesAreMissing,
  ],
  ['any code, where it lists none', { contains: [] }, 'a', codesAreMissing],
])('tests membership in an expansion: %s', (_description, expansion, code, expected) => {
  const url = 'http://ward.example/listed';
  const terminology = terminologyOf(setOf([{ resourceType: 'ValueSet', url, expansion }]));
  expect(terminology.membership(url, { system, code })).toEqual(expected);
});

test('ignores case in a case-insensitive system', () => {
  expect(membership({ include: [{ system: caseInsensitive.url }] }, 'AA', caseInsensitive.url)).toBe('in');
});

test('finds a code without a system in a value set of any system', () => {
  const list = { include: [{ system, concept: [{ code: 'a' }] }] };
  expect([membership(list, 'a', undefined), membership(list, 'b', undefined)]).toEqual(['in', 'out']);
});

test("includes R4's own value sets and code systems in any version", () => {
  const terminology = terminologyOf(withR4(setOf([])));
  const status = 'http://hl7.org/fhir/ValueSet/request-status';
  expect(terminology.membership(`${status}|4.0.1`, { system: undefined, code: 'active' })).toEqual({
    status: 'in',
  });
  expect(terminology.membership(status, { system: undefined, code: 'walking' })).toEqual({ status: 'out' });
  const v3 = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
  expect(terminology.codes(v3)?.display('N')).toBe('normal');
});
