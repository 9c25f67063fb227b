import { expect, test } from 'vitest';
import { serializeNode, type JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import { suggestionsAt, applyFixes } from './fixes.ts';

const settings = { today: '2026-11-24' };

function plan(members: object): JsonObject {
  const record = { resourceType: 'CarePlan', status: 'active', intent: 'plan', subject: { display: 'x' } };
  const { root } = scan(JSON.stringify({ ...record, ...members }));
  if (root.kind !== 'object') throw new TypeError('This is no record.');
  return root;
}

const url = 'http://x.example';
const rxNorm = 'http://www.nlm.nih.gov/research/umls/rxnorm';
const coded = (system: string) => ({ category: [{ coding: [{ system, code: '1' }] }] });
const goal = {
  resourceType: 'Goal',
  lifecycleStatus: 'active',
  description: { text: 'x' },
  subject: { display: 'x' },
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
  ...[
    ['Patinet/1', 'Patient/1'],
    ['Pateint/1/_history/2', 'Patient/1/_history/2'],
    ['patient/1', 'Patient/1'],
    ['PATIENT/1', 'Patient/1'],
    ['Patients/1', 'Patient/1'],
    ['Ptient/1', 'Patient/1'],
    ['patient?identifier=x|1', 'Patient?identifier=x|1'],
    ['./Patient/1', 'Patient/1'],
    ['../patient/1', 'Patient/1'],
    ['/Patient/1/', 'Patient/1'],
    ['Patient//1', 'Patient/1'],
    ['Patient:1', 'Patient/1'],
    ['Patient|1', 'Patient/1'],
    ['http//x.example/Patient/1', 'http://x.example/Patient/1'],
    ['https:/x.example/Patient/1', 'https://x.example/Patient/1'],
  ].map(([wrongReference, corrected]): [string, string, object, object] => [
    `a reference ${wrongReference} that was meant as ${corrected}`,
    'reference-literal',
    { subject: { reference: wrongReference } },
    { subject: { reference: corrected } },
  ]),
  ['a system without its scheme', 'system-absolute', coded('loinc.org/'), coded('http://loinc.org')],
  ['a system whose address begins with www', 'system-absolute', coded(rxNorm.slice(7)), coded(rxNorm)],
  ['a system by its OID', 'system-absolute', coded(' 2.16.840.1 '), coded('urn:oid:2.16.840.1')],
  ['a contained resource by another spelling of its id', 'ref-1', aims('#Goal/G'), aims('#g')],
  ['a contained resource whose id has the # of a reference', 'ref-1', aims('#G', '#g'), aims('#g', '#g')],
])('%s', (_description, rule, before, after) => {
  const result = applyFixes(plan(before), 'CarePlan', rule, settings);
  expect(result && serializeNode(result.root)).toBe(serializeNode(plan(after)));
});

test('suggests no system for a value without a known format, even if another system is wrong', () => {
  const points = [{ value: 'ward', system: 'bell' }, { value: 'tomorrow' }];
  const root = plan({ extension: points.map((valueContactPoint) => ({ url, valueContactPoint })) });
  const finding = { rule: 'cpt-2', pointer: '/extension/1/valueContactPoint' };
  expect(suggestionsAt(root, 'CarePlan', finding, settings)).toEqual([]);
});

test.each([
  'null',
  'undefined',
  'N/A',
  'smith',
  '1',
  'Patient1',
  'Patient',
  'Lisa/1',
  'Patients',
  'Patient/a b',
  'www.x.example/Patient/1',
  'urn:uuid:123',
  'Patinetx/1',
  'Practitioner/1',
  '/',
  '..',
  'localhost:80/Patient/1',
])('suggests no correction of the reference %s', (reference) => {
  const root = plan({ subject: { reference } });
  const finding = { rule: 'reference-literal', pointer: '/subject/reference' };
  expect(suggestionsAt(root, 'CarePlan', finding, settings)).toEqual([]);
});

test('suggests no type that the element does not allow', () => {
  const finding = { rule: 'reference-literal', pointer: '/subject/reference' };
  const root = plan({ subject: { reference: 'location/1' } });
  expect(suggestionsAt(root, 'CarePlan', finding, settings)).toEqual([]);
});

test('ignores a long reference without delay', () => {
  const root = plan({ subject: { reference: `${'/'.repeat(500_000)}x` } });
  const finding = { rule: 'reference-literal', pointer: '/subject/reference' };
  expect(suggestionsAt(root, 'CarePlan', finding, settings)).toEqual([]);
});
