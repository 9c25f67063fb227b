import { has, invariant, list, reportIf, type PlainObject, type Rule } from '../../types/definition/rule.ts';

type Row = readonly [key: string, text: string, broken: (repeat: PlainObject) => boolean];

const meals = new Set<unknown>(['C', 'CM', 'CD', 'CV']);

/** Invariants of Timing.repeat (FHIR R4 datatypes.html#Timing). Each has one sentence and one condition. */
const rows: readonly Row[] = [
  ['tim-1', 'Timing: duration needs durationUnit.', (repeat) => needs(repeat, 'duration', 'durationUnit')],
  ['tim-2', 'Timing: period needs periodUnit.', (repeat) => needs(repeat, 'period', 'periodUnit')],
  ['tim-4', 'Timing: duration is negative.', ({ duration }) => Number(duration) < 0],
  ['tim-5', 'Timing: period is negative.', ({ period }) => Number(period) < 0],
  ['tim-6', 'Timing: periodMax needs period.', (repeat) => needs(repeat, 'periodMax', 'period')],
  ['tim-7', 'Timing: durationMax needs duration.', (repeat) => needs(repeat, 'durationMax', 'duration')],
  ['tim-8', 'Timing: countMax needs count.', (repeat) => needs(repeat, 'countMax', 'count')],
  [
    'tim-9',
    'Timing: offset needs an event in when, other than C, CM, CD or CV.',
    (repeat) =>
      has(repeat, 'offset') && (!has(repeat, 'when') || list(repeat.when).some((event) => meals.has(event))),
  ],
  [
    'tim-10',
    'Timing: timeOfDay and when can’t be used together.',
    (repeat) => has(repeat, 'timeOfDay') && has(repeat, 'when'),
  ],
];

function needs(repeat: PlainObject, name: string, requiredName: string): boolean {
  return has(repeat, name) && !has(repeat, requiredName);
}

export const timingRules: readonly Rule[] = rows.map(([id, text, isBroken]) => ({
  id,
  ...invariant,
  text,
  appliesTo: ['Timing_Repeat'],
  check: reportIf(isBroken),
}));
