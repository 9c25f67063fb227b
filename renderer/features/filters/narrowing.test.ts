import { expect, test } from 'vitest';
import { facetOf, pairsOf } from '../../../core/fhir/facet.ts';
import type { Pair } from '../../../core/fhir/search.ts';
import { chosenOf, sameChoice, toggled, withoutFacet, wordOf } from './narrowing.ts';

const status = facetOf('CarePlan', 'status');
const date = facetOf('CarePlan', 'date');
if (!status || !date) throw new Error('There are such facets.');

const active: Pair[] = [['status', 'http://s|active']];
const held: Pair[] = [['status', 'http://s|on-hold']];
const march = pairsOf(date, { kind: 'date', month: '2026-03' });
const december = pairsOf(date, { kind: 'date', month: '2026-12' });

test('a value narrows, another of its facet is an alternative, and each is taken away again', () => {
  const one = toggled([['subject', '17']], status, active);
  expect(one).toEqual([['subject', '17'], ...active]);
  const both = toggled(one, status, held);
  expect(both).toEqual([
    ['subject', '17'],
    ['status', 'http://s|active,http://s|on-hold'],
  ]);
  expect(chosenOf(both, status)).toEqual([active, held]);
  expect(toggled(both, status, active)).toEqual([['subject', '17'], ...held]);
  expect(toggled(toggled(both, status, active), status, held)).toEqual([['subject', '17']]);
});

test('a comma within a value parts nothing', () => {
  const odd: Pair[] = [['status', '|a\\,b']];
  expect(chosenOf(odd, status)).toEqual([odd]);
  expect(toggled(odd, status, odd)).toEqual([]);
  expect(odd.map((pair) => wordOf([pair]))).toEqual(['a,b']);
});

test('a code that was typed without its system is the value, and goes by a click', () => {
  expect(sameChoice(active, [['status', 'active']])).toBe(true);
  expect(sameChoice(held, [['status', 'active']])).toBe(false);
  expect(toggled([['status', 'active']], status, active)).toEqual([]);
});

test('a month takes the place of another; bounds that are no month stay', () => {
  const asked: Pair[] = [['date', 'ge2026-03-04'], ...march];
  expect(chosenOf(asked, date)).toEqual([march]);
  expect(wordOf(march)).toBe('2026-03');
  expect(toggled(asked, date, december)).toEqual([['date', 'ge2026-03-04'], ...december]);
  expect(withoutFacet(asked, date)).toEqual([['date', 'ge2026-03-04']]);
});

test('what is asked by a modifier is no chosen value', () => {
  const asked: Pair[] = [['status:not', 'active']];
  expect(chosenOf(asked, status)).toEqual([]);
  expect(toggled(asked, status, active)).toEqual([...asked, ...active]);
});

test('values of two facets, or two values of one, are two choices', () => {
  expect(sameChoice([['status', 'active']], [['category', 'active']])).toBe(false);
  expect(sameChoice([['status', 'active']], [['status', 'draft']])).toBe(false);
  expect(sameChoice([['status', 'active']], [])).toBe(false);
});

test('a day within a month that is chosen chooses no second month', () => {
  expect(chosenOf([...march, ['date', 'ge2026-03-15']], date)).toEqual([march]);
});
