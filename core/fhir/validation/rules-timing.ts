import { has, invariant, list, reportIf, type Members, type Rule } from '../../types/definition/rule.ts';

type Row = readonly [key: string, text: string, broken: (repeat: Members) => boolean];

const meals = new Set<unknown>(['C', 'CM', 'CD', 'CV']);

/** The invariants of Timing.repeat (FHIR R4 datatypes.html#Timing), each of one sentence and one condition. */
const rows: readonly Row[] = [
  ['tim-1', 'The duration has no unit; add durationUnit.', (one) => needs(one, 'duration', 'durationUnit')],
  ['tim-2', 'The interval has no unit; add periodUnit.', (one) => needs(one, 'period', 'periodUnit')],
  ['tim-4', 'The duration is negative; correct it.', ({ duration }) => Number(duration) < 0],
  ['tim-5', 'The interval is negative; correct it.', ({ period }) => Number(period) < 0],
  ['tim-6', 'A longest interval needs a shortest; add period.', (one) => needs(one, 'periodMax', 'period')],
  [
    'tim-7',
    'A longest duration needs a shortest; add duration.',
    (one) => needs(one, 'durationMax', 'duration'),
  ],
  ['tim-8', 'A greatest count needs a least; add count.', (one) => needs(one, 'countMax', 'count')],
  [
    'tim-9',
    'The offset needs an event to count from, and none of the whole meals; correct when.',
    (one) => has(one, 'offset') && (!has(one, 'when') || list(one.when).some((event) => meals.has(event))),
  ],
  [
    'tim-10',
    'The times of day and the events exclude each other; keep one of them.',
    (one) => has(one, 'timeOfDay') && has(one, 'when'),
  ],
];

function needs(repeat: Members, name: string, other: string): boolean {
  return has(repeat, name) && !has(repeat, other);
}

export const timingRules: readonly Rule[] = rows.map(([id, text, broken]) => ({
  id,
  ...invariant,
  text,
  on: ['Timing_Repeat'],
  check: reportIf(broken),
}));
