import { expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { kindOf } from './kinds.ts';
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
  ['an allergy whose code has no system', 'ait-2', allergy({}), false],
])('an invariant of R4 on %s: %s', (_what, key, resource, expected) => {
  expect(breaks(key, resource)).toBe(expected);
});

test.each([
  [{ title: 'A' }, []],
  [{ title: ['A', 'B'] }, []],
  [{ title: true }, []],
  [{ title: false }, ['a']],
  [{}, ['a']],
])('whatever is no boolean counts as true, and nothing as not true: %j', (element, expected) => {
  const kind = kindOf('CarePlan');
  const { check } = invariantJudge(['a', 'error', 'It has a title', ['.', ['this'], 'title']]);
  const told: unknown[] = [];
  const surroundings = {
    kind,
    targets: undefined,
    contained: new Map(),
    path: [],
    fragments: new Set<string>(),
  };
  check(element, (_tokens, detail) => told.push(detail), { today: '2026-01-01', ...surroundings });
  expect(told).toEqual(expected);
});
