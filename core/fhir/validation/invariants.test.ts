import { expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { kindOf } from './kinds.ts';
import type { InvariantTerm } from './generated/element-table.js';
import { invariantJudge } from './invariants.ts';
import { carePlan, type Draft } from './testing/base-records.ts';
import { validate } from './validate.ts';

/** Whether a contained resource breaks an invariant of R4. */
function breaks(key: string, resource: Draft): boolean {
  const contained = [{ id: 'a', ...resource }];
  const plan = { ...carePlan(), goal: undefined, contained, supportingInfo: [{ reference: '#a' }] };
  const found = validate(readRecord(JSON.stringify(plan), 'CarePlan'), 'CarePlan', { today: '2026-01-01' });
  return found.some(({ diagnostics }) => diagnostics === `r4-invariant: ${key}`);
}

const item = (initial: readonly object[]) => ({
  resourceType: 'Questionnaire',
  item: [{ linkId: '1', initial }],
});
const document = (resource: object) => ({ resourceType: 'Bundle', type: 'document', entry: [{ resource }] });
const documents = (...profiles: readonly string[]) => ({
  resourceType: 'CapabilityStatement',
  document: profiles.map((profile) => ({ mode: 'producer', profile })),
});
const allergy = (coding: object) => ({
  resourceType: 'AllergyIntolerance',
  clinicalStatus: { text: 'active' },
  verificationStatus: { coding: [{ code: 'entered-in-error', ...coding }] },
});

const risk = (prediction: object) => ({
  resourceType: 'RiskAssessment',
  status: 'final',
  prediction: [prediction],
});

test.each<[what: string, key: string, resource: Draft, expected: boolean]>([
  ['one initial value', 'que-13', item([{ valueInteger: 1 }]), false],
  ['two initial values', 'que-13', item([{ valueInteger: 1 }, { valueInteger: 2 }]), true],
  ['documents of two profiles', 'cpb-7', documents('http://x/a', 'http://x/b'), false],
  ['documents of one profile', 'cpb-7', documents('http://x/a', 'http://x/a'), true],
  ['a document that begins with a Composition', 'bdl-11', document({ resourceType: 'Composition' }), false],
  ['a document that begins with a Patient', 'bdl-11', document({ resourceType: 'Patient' }), true],
  ['a document that begins with what has no type', 'bdl-11', document({ resourceType: 5 }), true],
  [
    'an allergy entered in error that has a status',
    'ait-2',
    allergy({ system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-verification' }),
    true,
  ],
  ['a risk beyond all', 'ras-2', risk({ probabilityDecimal: 101 }), true],
  ['a risk of some percent', 'ras-2', risk({ probabilityDecimal: 5 }), false],
  ['an allergy whose code has no system', 'ait-2', allergy({}), false],
])('an invariant of R4 on %s: %s', (_what, key, resource, expected) => {
  expect(breaks(key, resource)).toBe(expected);
});

/** What the judge of a term tells of an element. */
function toldBy(term: InvariantTerm, element: object): unknown[] {
  const { check } = invariantJudge(['a', 'error', 'It is so', term]);
  const told: unknown[] = [];
  const kind = kindOf('CarePlan');
  const surroundings = {
    kind,
    targets: undefined,
    contained: new Map(),
    path: [],
    fragments: new Set<string>(),
  };
  check({ ...element }, (_tokens, detail) => told.push(detail), { today: '2026-01-01', ...surroundings });
  return told;
}

const of = (name: string): InvariantTerm => ['.', ['this'], name];

test.each([
  [{ title: 'A' }, []],
  [{ title: ['A', 'B'] }, []],
  [{ title: true }, []],
  [{ title: false }, ['a']],
  [{}, ['a']],
])('whatever is no boolean counts as true, and nothing as not true: %j', (element, expected) => {
  expect(toldBy(of('title'), element)).toEqual(expected);
});

const same = { note: [{ text: 'A' }, { text: 'A' }] };
const different = { note: [{ text: 'A' }, { text: 'B' }] };

test.each<[term: InvariantTerm, element: object, holds: boolean]>([
  [['isDistinct()', of('note')], same, false],
  [['isDistinct()', of('note')], different, true],
  [['=', ['first()', of('note')], of('goal')], { ...same, goal: { text: 'A' } }, true],
  [['=', ['first()', of('note')], of('goal')], { ...same, goal: { text: 'B' } }, false],
])('elements are the same by what they say: %j of %j', (term, element, holds) => {
  expect(toldBy(term, element)).toEqual(holds ? [] : ['a']);
});

test.each([
  [{ title: 'A' }, 'string', true],
  [{ title: 'A' }, 'decimal', false],
  [{ period: { start: '2026' } }, 'Period', true],
  [{ period: { start: '2026' } }, 'Range', false],
])('a value of %j is of the type %s, and taken as it: %s', (element, type, is) => {
  const value = of(Object.keys(element)[0] ?? '');
  expect(toldBy(['is', value, type], element)).toEqual(is ? [] : ['a']);
  expect(toldBy(['exists()', ['as', value, type]], element)).toEqual(is ? [] : ['a']);
});

const yes: InvariantTerm = ['literal', true];
const no: InvariantTerm = ['literal', false];
const nothing = of('title');

test.each<[operation: string, one: InvariantTerm, other: InvariantTerm, expected: boolean | undefined]>([
  ['or', nothing, yes, true],
  ['or', nothing, no, undefined],
  ['or', no, nothing, undefined],
  ['or', no, no, false],
  ['and', nothing, no, false],
  ['and', nothing, yes, undefined],
  ['and', yes, yes, true],
  ['implies', nothing, yes, true],
  ['implies', nothing, no, undefined],
  ['implies', yes, no, false],
  ['implies', no, nothing, true],
  ['xor', yes, nothing, undefined],
  ['xor', nothing, yes, undefined],
  ['xor', yes, no, true],
  ['xor', yes, yes, false],
])('FHIRPath’s logic: %s of %j and %j is %s', (operation, one, other, expected) => {
  const term: InvariantTerm = [operation, one, other];
  expect(toldBy(term, {})).toEqual(expected === true ? [] : ['a']);
  expect(toldBy(['not()', term], {})).toEqual(expected === false ? [] : ['a']);
});
