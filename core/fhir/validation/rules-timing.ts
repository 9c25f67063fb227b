import { has, invariant, list, reportIf, type Members, type Rule } from '../../types/definition/rule.ts';

type Row = readonly [key: string, text: string, broken: (repeat: Members) => boolean];

const meals = new Set<unknown>(['C', 'CM', 'CD', 'CV']);

/** The invariants of Timing.repeat (FHIR R4 datatypes.html#Timing), each of one sentence and one condition. */
const rows: readonly Row[] = [
  ['tim-1', 'Timing: duration needs durationUnit.', (one) => needs(one, 'duration', 'durationUnit')],
  ['tim-2', 'Timing: period needs periodUnit.', (one) => needs(one, 'period', 'periodUnit')],
  ['tim-4', 'Timing: duration is negative.', ({ duration }) => Number(duration) < 0],
  ['tim-5', 'Timing: period is negative.', ({ period }) => Number(period) < 0],
  ['tim-6', 'Timing: periodMax needs period.', (one) => needs(one, 'periodMax', 'period')],
  ['tim-7', 'Timing: durationMax needs duration.', (one) => needs(one, 'durationMax', 'duration')],
  ['tim-8', 'Timing: countMax needs count.', (one) => needs(one, 'countMax', 'count')],
  [
    'tim-9',
    'Timing: offset needs an event in when, other than C, CM, CD or CV.',
    (one) => has(one, 'offset') && (!has(one, 'when') || list(one.when).some((event) => meals.has(event))),
  ],
  [
    'tim-10',
    'Timing: timeOfDay and when can’t be used together.',
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
