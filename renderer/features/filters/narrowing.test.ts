import { expect, test } from 'vitest';
import { facetOf, pairsOf } from '../../../core/fhir/facet.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { listSelectedValues, sameChoice, toggled, withoutFacet, wordOf } from './narrowing.ts';

const status = facetOf('CarePlan', 'status');
const date = facetOf('CarePlan', 'date');
if (!status || !date) throw new Error('There are such facets.');

const active: Pair[] = [['status', 'http://s|active']];
const onHold: Pair[] = [['status', 'http://s|on-hold']];
const march = pairsOf(date, { kind: 'date', month: '2026-03' });
const december = pairsOf(date, { kind: 'date', month: '2026-12' });

test('filters by a value, adds another as an alternative and removes each', () => {
  const activeSearch = toggled([['subject', '17']], status, active);
  expect(activeSearch).toEqual([['subject', '17'], ...active]);
  const bothSearch = toggled(activeSearch, status, onHold);
  expect(bothSearch).toEqual([
    ['subject', '17'],
    ['status', 'http://s|active,http://s|on-hold'],
  ]);
  expect(listSelectedValues(bothSearch, status)).toEqual([active, onHold]);
  expect(toggled(bothSearch, status, active)).toEqual([['subject', '17'], ...onHold]);
  expect(toggled(toggled(bothSearch, status, active), status, onHold)).toEqual([['subject', '17']]);
});

test('does not split a value at an escaped comma', () => {
  const odd: Pair[] = [['status', '|a\\,b']];
  expect(listSelectedValues(odd, status)).toEqual([odd]);
  expect(toggled(odd, status, odd)).toEqual([]);
  expect(odd.map((pair) => wordOf([pair]))).toEqual(['a,b']);
});

test('treats a code without system as the same value and removes it', () => {
  expect(sameChoice(active, [['status', 'active']])).toBe(true);
  expect(sameChoice(onHold, [['status', 'active']])).toBe(false);
  expect(toggled([['status', 'active']], status, active)).toEqual([]);
});

test('replaces one month by another and keeps bounds other than full months', () => {
  const pairs: Pair[] = [['date', 'ge2026-03-04'], ...march];
  expect(listSelectedValues(pairs, date)).toEqual([march]);
  expect(wordOf(march)).toBe('2026-03');
  expect(toggled(pairs, date, december)).toEqual([['date', 'ge2026-03-04'], ...december]);
  expect(withoutFacet(pairs, date)).toEqual([['date', 'ge2026-03-04']]);
});

test('ignores values with a modifier', () => {
  const pairs: Pair[] = [['status:not', 'active']];
  expect(listSelectedValues(pairs, status)).toEqual([]);
  expect(toggled(pairs, status, active)).toEqual([...pairs, ...active]);
});

test('distinguishes equal values of two facets and two values of one', () => {
  expect(sameChoice([['status', 'active']], [['category', 'active']])).toBe(false);
  expect(sameChoice([['status', 'active']], [['status', 'draft']])).toBe(false);
  expect(sameChoice([['status', 'active']], [])).toBe(false);
});

test('does not treat a day within a selected month as a second month', () => {
  expect(listSelectedValues([...march, ['date', 'ge2026-03-15']], date)).toEqual([march]);
});
