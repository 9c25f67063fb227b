import { expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { judgeBy } from './judge-by.ts';
import { libraryOf } from './library.ts';
import { judged, rootOf, type Json } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';
import { goodNote, goodPlan, reslicedPlan, wardDefinitions, wardNote, wardPlan } from './testing/profiles.ts';

const library = libraryOf(setOf(wardDefinitions));

/** What is found where a plan, or a note, is changed: the rules without the profile's name, each with its place. */
function found(profile: string, good: unknown, change: (record: Json) => void): string[] {
  const record = structuredClone(good);
  change(record);
  return judged([profile], record, library).findings.map(
    ({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`,
  );
}

function open(profile: string, good: unknown, change: (record: Json) => void): string[] {
  const record = structuredClone(good);
  change(record);
  return judged([profile], record, library).undecided.map(({ element, needs }) => `${element}: ${needs}`);
}

test.each([
  [wardPlan, goodPlan],
  [wardNote, goodNote],
])('%s: a record that fulfils it has no finding, and nothing is open', (profile, record) => {
  expect(judged([profile], record, library)).toEqual({ findings: [], undecided: [], absent: [] });
});

test.each<[what: string, change: (plan: Json) => void, found: string]>([
  ['no period', (plan) => delete plan.period, 'CarePlan.period/min '],
  ['no start', (plan) => (plan.period = { end: '2026-03-01' }), 'CarePlan.period.start/min /period'],
  [
    'an early start',
    (plan) => (plan.period.start = '2019-12-31'),
    'CarePlan.period.start/least /period/start',
  ],
  [
    'an encounter',
    (plan) => (plan.encounter = { reference: 'Encounter/1' }),
    'CarePlan.encounter/max /encounter',
  ],
  [
    'a subject of another type',
    (plan) => (plan.subject.reference = 'Group/1'),
    'CarePlan.subject/target /subject',
  ],
  ['no bed', (plan) => delete plan.extension, 'CarePlan.extension:bed/min '],
  ['two beds', (plan) => plan.extension.push(plan.extension[0]), 'CarePlan.extension:bed/max /extension/1'],
  [
    'a bed of another type',
    (plan) => (plan.extension[0] = { url: plan.extension[0].url, valueInteger: 12 }),
    'Extension.value[x]/type /extension/0/valueInteger',
  ],
  [
    'a bed without value',
    (plan) => delete plan.extension[0].valueString,
    'Extension.value[x]/min /extension/0',
  ],
  ['no number', (plan) => plan.identifier.shift(), 'CarePlan.identifier:number/min '],
  [
    'a number elsewhere',
    (plan) => (plan.identifier[0].system = 'http://x'),
    'CarePlan.identifier:number/min ',
  ],
  [
    'two numbers',
    (plan) => plan.identifier.unshift(plan.identifier[0]),
    'CarePlan.identifier:number/max /identifier/1',
  ],
  [
    'a number without value',
    (plan) => delete plan.identifier[0].value,
    'CarePlan.identifier:number.value/min /identifier/0',
  ],
  [
    'a long number',
    (plan) => (plan.identifier[0].value = '1234567'),
    'CarePlan.identifier:number.value/length /identifier/0/value',
  ],
  [
    'identifiers out of order',
    (plan) => plan.identifier.reverse(),
    'CarePlan.identifier/order /identifier/1',
  ],
  [
    'no category of the ward',
    (plan) => (plan.category[0].coding[0].code = 'home'),
    'CarePlan.category:ward/min ',
  ],
  [
    'a category in no slice',
    (plan) => plan.category.push({ text: 'other' }),
    'CarePlan.category/closed /category/1',
  ],
  [
    'a category twice',
    (plan) => plan.category.push(plan.category[0]),
    'CarePlan.category:ward/max /category/1',
  ],
  ['a title in lower case', (plan) => (plan.title = 'walking'), 'CarePlan.title/ward-1 /title'],
  [
    'what is in no slice before the others',
    (plan) => plan.addresses.reverse(),
    'CarePlan.addresses/order /addresses/0',
  ],
  [
    'two that exist',
    (plan) => plan.addresses.unshift({ identifier: { value: '2' } }),
    'CarePlan.addresses:logical/max /addresses/1',
  ],
  [
    'three goals contained',
    (plan) => plan.contained.push({ ...plan.contained[0], id: 'h' }, { ...plan.contained[0], id: 'i' }),
    'CarePlan.contained:goals/max /contained/2',
  ],
  [
    'a goal that is none of the ward',
    (plan) => delete plan.contained[0].note,
    'CarePlan.goal/target /goal/0',
  ],
  ['two goals of the ward', (plan) => plan.goal.push(plan.goal[0]), 'CarePlan.goal:ward/max /goal/1'],
  [
    'a code that is not below another',
    (plan) => (plan.activity[0].detail.code.coding[0].code = 'home'),
    'CarePlan.activity.detail.code/code /activity/0/detail/code',
  ],
  [
    'a code of no system that is known',
    (plan) => (plan.activity[0].detail.code.coding[0].system = 'http://other.example'),
    'CarePlan.activity.detail.code/code /activity/0/detail/code',
  ],
  [
    'a text where a code is required',
    (plan) => (plan.activity[0].detail.code = { text: 'night' }),
    'CarePlan.activity.detail.code/code /activity/0/detail/code',
  ],
  [
    'a display that is another',
    (plan) => (plan.activity[0].detail.code.coding[0].display = 'By day'),
    'CarePlan.activity.detail.code/display /activity/0/detail/code/coding/0/display',
  ],
  [
    'a code of the system that the extensible set lacks',
    (plan) =>
      (plan.activity[0].detail.reasonCode = [
        { coding: [{ system: plan.category[0].coding[0].system, code: 'home' }] },
      ]),
    'CarePlan.activity.detail.reasonCode/code-advised /activity/0/detail/reasonCode/0',
  ],
  [
    'a period without end',
    (plan) => delete plan.activity[0].detail.scheduledPeriod.end,
    'CarePlan.activity.detail.scheduled[x]:scheduledPeriod.end/min /activity/0/detail/scheduledPeriod',
  ],
  [
    'a type that the choice has not',
    (plan) => {
      delete plan.activity[0].detail.scheduledPeriod;
      plan.activity[0].detail.scheduledTiming = { code: { text: 'daily' } };
    },
    'CarePlan.activity.detail.scheduled[x]/type /activity/0/detail/scheduledTiming',
  ],
  [
    'a quantity of another system',
    (plan) => (plan.activity[0].detail.quantity.system = 'http://other.example'),
    'CarePlan.activity.detail.quantity/pattern /activity/0/detail/quantity',
  ],
])('a plan with %s is found, at its element and nowhere else', (_what, change, expected) => {
  expect(found(wardPlan, goodPlan, change)).toEqual([expected]);
});

test.each<[what: string, change: (plan: Json) => void]>([
  [
    'a string for the choice',
    (plan) => {
      delete plan.activity[0].detail.scheduledPeriod;
      plan.activity[0].detail.scheduledString = 'daily';
    },
  ],
  ['no archive', (plan) => plan.identifier.pop()],
  [
    'another identifier in between',
    (plan) => plan.identifier.splice(1, 0, { system: 'http://x', value: 'x' }),
  ],
  [
    'a code and its translation',
    (plan) => plan.activity[0].detail.code.coding.unshift({ system: 'http://x', code: 'n' }),
  ],
  [
    'a code of another system where the set is extensible',
    (plan) => (plan.activity[0].detail.reasonCode = [{ coding: [{ system: 'http://x', code: 'n' }] }]),
  ],
  ['a display in other letters', (plan) => (plan.category[0].coding[0].display = 'on  the Ward')],
  ['a subject that is named alone', (plan) => (plan.subject = { display: 'A' })],
  ['extensions of others', (plan) => plan.extension.push({ url: 'http://other.example', valueInteger: 1 })],
])('a plan with %s is in order', (_what, change) => {
  const record = structuredClone(goodPlan);
  change(record);
  expect(judged([wardPlan], record, library)).toEqual({ findings: [], undecided: [], absent: [] });
});

test.each<[what: string, change: (note: Json) => void, found: string]>([
  ['no course', (note) => note.section.shift(), 'Composition.section:course/min '],
  ['two courses', (note) => note.section.push(note.section[0]), 'Composition.section:course/max /section/2'],
  [
    'another title',
    (note) => (note.section[0].title = 'Progress'),
    'Composition.section:course.title/fixed /section/0/title',
  ],
  [
    'no plan',
    (note) => note.section[0].entry.shift(),
    'Composition.section:course.entry:plan/min /section/0',
  ],
  [
    'a plan without its name',
    (note) => delete note.section[0].entry[0].display,
    'Composition.section:course.entry:plan.display/min /section/0/entry/0',
  ],
  [
    'two visits',
    (note) => note.section[0].entry.push(note.section[0].entry[1]),
    'Composition.section:course.entry:visit/max /section/0/entry/2',
  ],
])('a note with %s is found in the slice of the slice', (_what, change, expected) => {
  expect(found(wardNote, goodNote, change)).toEqual([expected]);
});

test('what needs more than is at hand is neither passed nor broken', () => {
  expect(
    open(wardPlan, goodPlan, (plan) => {
      plan.activity[0].detail.statusReason = { coding: [{ system: 'http://snomed.info/sct', code: '1' }] };
    }),
  ).toEqual(['CarePlan.activity.detail.statusReason: CodeSystem http://snomed.info/sct']);
  // A code of another system is in no value set of SNOMED CT, whatever that holds.
  expect(
    found(wardPlan, goodPlan, (plan) => {
      plan.activity[0].detail.statusReason = { coding: [{ system: 'http://x', code: '1' }] };
    }),
  ).toEqual(['CarePlan.activity.detail.statusReason/code /activity/0/detail/statusReason']);
  expect(open(wardPlan, goodPlan, (plan) => (plan.goal = [{ reference: 'Goal/1' }]))).toEqual([
    expect.stringMatching(/^CarePlan\.goal: the resource that is referred to/),
  ]);
});

test('a slice of a slice is refused with a sentence, and the rest is judged', () => {
  const { undecided, findings } = judged([reslicedPlan], { ...goodPlan, category: undefined }, library);
  expect(undecided.map(({ element, needs }) => [element, needs])).toEqual([
    ['CarePlan.category:ward/night', 'it cannot be judged: re-slicing'],
  ]);
  expect(findings.map(({ rule }) => rule)).toContain('profile/resliced-plan#CarePlan.category/min');
});

test('a profile without a snapshot is refused with a sentence', () => {
  const [plan] = wardDefinitions;
  const without = libraryOf(setOf([{ ...plan, snapshot: undefined }]));
  const root = rootOf(goodPlan);
  const { findings, undecided, absent } = judgeBy([wardPlan], root, 'CarePlan', without);
  expect([findings, absent]).toEqual([[], []]);
  expect(undecided.map(({ needs }) => needs)).toEqual([
    'the profile has no snapshot, and a differential alone cannot be judged',
  ]);
});

test('profiles that are not at hand, or of another type, are told', () => {
  const root = rootOf(goodPlan);
  const { absent } = judgeBy(['http://x', wardNote, wardPlan], root, 'CarePlan', library);
  expect(absent).toEqual(['http://x', wardNote]);
});

test('each finding names its profile with its version, and no value of the record', () => {
  const record = structuredClone(goodPlan) as Json;
  record.identifier[0].value = 'canary-1';
  record.title = 'canary';
  for (const { text, diagnostics } of judged([wardPlan], record, library).findings) {
    expect(diagnostics).toContain(`${wardPlan}|1.0.0`);
    expect(`${text} ${diagnostics}`).not.toContain('canary');
  }
});
