import { expect, test } from 'vitest';
import { setOf } from '../profiles/testing/sets.ts';
import { terminologyOf } from './membership.ts';
import { withR4 } from './r4.ts';

const system = 'http://ward.example/codes';
const all = {
  ...{ resourceType: 'CodeSystem', url: system, content: 'complete', caseSensitive: true },
  concept: [
    { code: 'a', display: 'A', concept: [{ code: 'aa', concept: [{ code: 'aaa' }] }] },
    { code: 'b', property: [{ code: 'subsumedBy', valueCode: 'aa' }] },
    { code: 'c' },
    { code: 'd', property: [{ code: 'parent', valueCode: 'aa' }] },
  ],
};
const part = { ...all, url: 'http://ward.example/part', content: 'fragment' };
const folded = { ...all, url: 'http://ward.example/folded', caseSensitive: false };

/** Whether a code is in the value set of such a compose; what is missing where that cannot be told. */
function membership(compose: unknown, code: string, of: string | undefined): string {
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
  const known = terminologyOf(withR4(setOf([all, part, folded, ...sets])));
  const found = known.membership('http://ward.example/set', { system: of, code });
  return found.is === 'undecided' ? found.needs : found.is;
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
])('%s: %j, %s', (_what, compose, code, found) => {
  expect(membership(compose, code, system)).toBe(found);
});

test('what needs a system that is not at hand, or not whole, is not decided; codes of others are', () => {
  const snomed = {
    include: [
      { system: 'http://snomed.info/sct', filter: [{ property: 'concept', op: 'is-a', value: '1' }] },
    ],
  };
  expect(membership(snomed, '1', 'http://snomed.info/sct')).toBe('CodeSystem http://snomed.info/sct');
  expect(membership(snomed, '1', system)).toBe('out');
  expect(membership({ include: [{ system: part.url }] }, 'a', part.url)).toBe(`CodeSystem ${part.url}`);
});

const listed = [{ system, code: 'a', contains: [{ system, code: 'aa' }] }];
const codesAreMissing = { is: 'undecided', needs: 'the codes of ValueSet http://ward.example/listed' };

test.each<[what: string, expansion: object, code: string, found: object]>([
  ['a code that it lists', { contains: listed }, 'aa', { is: 'in' }],
  ['a code that it does not list', { contains: listed }, 'b', { is: 'out' }],
  ['a code that it does not list, being only a part', { contains: listed, total: 9 }, 'b', codesAreMissing],
  ['any code, where it lists none', { contains: [] }, 'a', codesAreMissing],
])('a value set that is only expanded: %s', (_what, expansion, code, found) => {
  const url = 'http://ward.example/listed';
  const known = terminologyOf(setOf([{ resourceType: 'ValueSet', url, expansion }]));
  expect(known.membership(url, { system, code })).toEqual(found);
});

test('a system that knows no case finds codes in any', () => {
  expect(membership({ include: [{ system: folded.url }] }, 'AA', folded.url)).toBe('in');
});

test('a code without a system is in a set that has it, of whatever system', () => {
  const list = { include: [{ system, concept: [{ code: 'a' }] }] };
  expect([membership(list, 'a', undefined), membership(list, 'b', undefined)]).toEqual(['in', 'out']);
});

test('R4 brings its own value sets and code systems, whatever version of them is named', () => {
  const known = terminologyOf(withR4(setOf([])));
  const status = 'http://hl7.org/fhir/ValueSet/request-status';
  expect(known.membership(`${status}|4.0.1`, { system: undefined, code: 'active' })).toEqual({ is: 'in' });
  expect(known.membership(status, { system: undefined, code: 'walking' })).toEqual({ is: 'out' });
  const v3 = 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality';
  expect(known.codes(v3)?.display('N')).toBe('normal');
});
