import { expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { kindOf } from './kinds.ts';
import type { InvariantTerm } from './generated/element-table.js';
import { invariantJudge } from './invariants.ts';
import { carePlan, type Draft } from './testing/base-records.ts';
import { validate } from './validate.ts';

/** Returns true if a contained resource breaks an invariant of R4. */
function breaks(key: string, resource: Draft): boolean {
  const contained = [{ id: 'a', ...resource }];
  const plan = { ...carePlan(), goal: undefined, contained, supportingInfo: [{ reference: '#a' }] };
  const findings = validate(readRecord(JSON.stringify(plan), 'CarePlan'), 'CarePlan', {
    today: '2026-01-01',
  });
  return findings.some(({ diagnostics }) => diagnostics === `r4-invariant: ${key}`);
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
])('evaluates an invariant of R4 on %s: %s', (_description, key, resource, expected) => {
  expect(breaks(key, resource)).toBe(expected);
});

/** Returns the details that the validator of a term reports for an element. */
function runTerm(term: InvariantTerm, element: object): unknown[] {
  const { check } = invariantJudge(['a', 'error', 'It is so', term]);
  const reported: unknown[] = [];
  const kind = kindOf('CarePlan');
  const context = {
    kind,
    targets: undefined,
    contained: new Map(),
    path: [],
    fragments: new Set<string>(),
  };
  check({ ...element }, (_tokens, detail) => reported.push(detail), { today: '2026-01-01', ...context });
  return reported;
}

const pathTo = (name: string): InvariantTerm => ['.', ['this'], name];

test.each([
  [{ title: 'A' }, []],
  [{ title: ['A', 'B'] }, []],
  [{ title: true }, []],
  [{ title: false }, ['a']],
  [{}, ['a']],
])('treats non-boolean values as true and missing ones as not true: %j', (element, expected) => {
  expect(runTerm(pathTo('title'), element)).toEqual(expected);
});

const equalNotes = { note: [{ text: 'A' }, { text: 'A' }] };
const differentNotes = { note: [{ text: 'A' }, { text: 'B' }] };

test.each<[term: InvariantTerm, element: object, holds: boolean]>([
  [['isDistinct()', pathTo('note')], equalNotes, false],
  [['isDistinct()', pathTo('note')], differentNotes, true],
  [['=', ['first()', pathTo('note')], pathTo('goal')], { ...equalNotes, goal: { text: 'A' } }, true],
  [['=', ['first()', pathTo('note')], pathTo('goal')], { ...equalNotes, goal: { text: 'B' } }, false],
])('compares elements by their content: %j of %j', (term, element, isSatisfied) => {
  expect(runTerm(term, element)).toEqual(isSatisfied ? [] : ['a']);
});

test.each([
  [{ title: 'A' }, 'string', true],
  [{ title: 'A' }, 'decimal', false],
  [{ period: { start: '2026' } }, 'Period', true],
  [{ period: { start: '2026' } }, 'Range', false],
])('matches a value of %j to the type %s and casts it: %s', (element, type, isExpected) => {
  const value = pathTo(Object.keys(element)[0] ?? '');
  expect(runTerm(['is', value, type], element)).toEqual(isExpected ? [] : ['a']);
  expect(runTerm(['exists()', ['as', value, type]], element)).toEqual(isExpected ? [] : ['a']);
});

const trueTerm: InvariantTerm = ['literal', true];
const falseTerm: InvariantTerm = ['literal', false];
const missing = pathTo('title');

test.each<[operation: string, one: InvariantTerm, other: InvariantTerm, expected: boolean | undefined]>([
  ['or', missing, trueTerm, true],
  ['or', missing, falseTerm, undefined],
  ['or', falseTerm, missing, undefined],
  ['or', falseTerm, falseTerm, false],
  ['and', missing, falseTerm, false],
  ['and', missing, trueTerm, undefined],
  ['and', trueTerm, trueTerm, true],
  ['implies', missing, trueTerm, true],
  ['implies', missing, falseTerm, undefined],
  ['implies', trueTerm, falseTerm, false],
  ['implies', falseTerm, missing, true],
  ['xor', trueTerm, missing, undefined],
  ['xor', missing, trueTerm, undefined],
  ['xor', trueTerm, falseTerm, true],
  ['xor', trueTerm, trueTerm, false],
])('evaluates %s of %j and %j to %s', (operation, leftTerm, rightTerm, expected) => {
  const term: InvariantTerm = [operation, leftTerm, rightTerm];
  expect(runTerm(term, {})).toEqual(expected === true ? [] : ['a']);
  expect(runTerm(['not()', term], {})).toEqual(expected === false ? [] : ['a']);
});
