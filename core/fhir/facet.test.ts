import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { facetOf, labelIn, pairsOf, type Facet, type FacetValue } from './facet.ts';
import { searchParameterOf } from './search-parameters.ts';
import { readCriteria } from './search.ts';

const facet = (name: string): Facet => {
  const match = facetOf('CarePlan', name);
  if (!match) throw new TypeError(`CarePlan has no facet ${name}.`);
  return match;
};
const reference = (base: string | null, type: string | null, id: string): FacetValue => ({
  kind: 'reference',
  base,
  type,
  id,
});

test.each<[name: string, value: FacetValue, pairs: readonly (readonly [string, string])[]]>([
  ['status', { kind: 'token', system: 'http://x', code: 'active' }, [['status', 'active']]],
  ['category', { kind: 'token', system: null, code: 'a|b' }, [['category', '|a\\|b']]],
  ['category', { kind: 'token', system: 'http://x', code: 'a,b' }, [['category', 'http://x|a\\,b']]],
  ['subject', reference(null, 'Patient', '1'), [['subject', 'Patient/1']]],
  ['subject', reference(null, null, '1'), [['subject', '1']]],
  ['subject', reference('http://there', 'Patient', '1'), [['subject', 'http://there/Patient/1']]],
  ['subject', reference('urn:uuid', null, '1'), [['subject', 'urn:uuid:1']]],
  ['subject', reference('#', null, '1'), [['subject', '#1']]],
  [
    'date',
    { kind: 'date', month: '2026-12' },
    [
      ['date', 'ge2026-12'],
      ['date', 'lt2027-01'],
    ],
  ],
])('converts the value of a facet to a valid search: %s %j', (name, value, pairs) => {
  const valueFacet =
    name === 'category' || name === 'status' ? facet(name) : ({ name, kind: value.kind } as Facet);
  expect(pairsOf(valueFacet, value)).toEqual(pairs);
  const criteria = readCriteria('CarePlan', [...pairs], { lenient: false, base: 'http://here', now: 0 });
  expect(criteria.terms).toHaveLength(pairs.length);
});

const concept = { text: 'Ward plan', coding: [{ system: 'http://x', code: 'WARD', display: 'Ward' }] };
const ward: FacetValue = { kind: 'token', system: 'http://x', code: 'ward' };

test.each<[what: string, name: string, members: object, value: FacetValue, label: string | undefined]>([
  ['display', 'category', { category: [{}, { text: 'Other' }, concept] }, ward, 'Ward'],
  [
    'text where it has no display',
    'category',
    { category: [{ text: 'Ward plan', coding: [{ system: 'http://x', code: 'ward' }] }] },
    ward,
    'Ward plan',
  ],
  ['code in another system', 'category', { category: [concept] }, { ...ward, system: null }, undefined],
  [
    'reference',
    'subject',
    { subject: { reference: 'Patient/1', display: 'Ada' } },
    reference(null, 'Patient', '1'),
    'Ada',
  ],
  [
    'other reference',
    'subject',
    { subject: { reference: 'Patient/2', display: 'Ada' } },
    reference(null, 'Patient', '1'),
    undefined,
  ],
])('labels a value by its %s in a record', (_, name, members, value, label) => {
  const parameter = searchParameterOf('CarePlan', name);
  if (!parameter) throw new TypeError(`CarePlan has no parameter ${name}.`);
  expect(labelIn(parameter, scan(JSON.stringify(members)).root, value)).toBe(label);
});
