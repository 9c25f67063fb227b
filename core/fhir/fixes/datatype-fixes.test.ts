import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { print } from '../../json/print.ts';
import { scan } from '../../json/scan.ts';
import { fixesAt, mendAll } from './fixes.ts';

const settings = { today: '2026-11-24' };

function plan(members: object): JsonObject {
  const whole = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' } };
  const { root } = scan(JSON.stringify({ ...whole, ...members }));
  if (root.kind !== 'object') throw new TypeError('This is no record.');
  return root;
}

const url = 'http://x.example';
const rxNorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const coded = (system: string) => ({ category: [{ coding: [{ system, code: '1' }] }] });
const goal = {
  ...{ resourceType: 'Goal', lifecycleStatus: 'active' },
  ...{ description: { text: 'x' }, subject: { display: 'x' } },
};
const aims = (reference: string, id = 'g') => ({ contained: [{ ...goal, id }], goal: [{ reference }] });

test.each<[what: string, rule: string, before: object, after: object]>([
  [
    'an extension that says nothing is removed',
    'ext-1=remove',
    { extension: [{ url }, { url, valueString: 'a' }] },
    { extension: [{ url, valueString: 'a' }] },
  ],
  [
    'white space around an address is taken away',
    'reference-literal',
    { author: { reference: ' Practitioner/1 ' } },
    { author: { reference: 'Practitioner/1' } },
  ],
  ['a system without its scheme', 'system-absolute', coded('loinc.org/'), coded('http://loinc.org')],
  ['a system whose address begins with www', 'system-absolute', coded(rxNorm.slice(7)), coded(rxNorm)],
  ['a system by its OID', 'system-absolute', coded(' 2.16.840.1 '), coded('urn:oid:2.16.840.1')],
  ['a contained resource by another spelling of its id', 'ref-1', aims('#Goal/G'), aims('#g')],
  ['a contained resource whose id has the # of a reference', 'ref-1', aims('#G', '#g'), aims('#g', '#g')],
])('%s', (_what, rule, before, after) => {
  const mended = mendAll(plan(before), 'CarePlan', rule, settings);
  expect(mended && print(mended.root)).toBe(print(plan(after)));
});

test('a contact point of no form gets no system, not even beside another whose system is wrong', () => {
  const points = [{ value: 'ward', system: 'bell' }, { value: 'tomorrow' }];
  const root = plan({ extension: points.map((valueContactPoint) => ({ url, valueContactPoint })) });
  const at = { rule: 'cpt-2', pointer: '/extension/1/valueContactPoint' };
  expect(fixesAt(root, 'CarePlan', at, settings)).toEqual([]);
});
