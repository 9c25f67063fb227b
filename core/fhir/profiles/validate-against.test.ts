import { expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { validateAgainst } from './validate-against.ts';
import { libraryOf } from './library.ts';
import { validateSample, rootOf, type Json } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';
import { goodNote, goodPlan, reslicedPlan, wardDefinitions, wardNote, wardPlan } from './testing/profiles.ts';

const library = libraryOf(setOf(wardDefinitions));

/** Returns rules and pointers of the findings of a changed record, without the profile's name. */
function listFindings(profile: string, good: unknown, change: (record: Json) => void): string[] {
  const record = structuredClone(good);
  change(record);
  return validateSample([profile], record, library).findings.map(
    ({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`,
  );
}

function listUndecided(profile: string, good: unknown, change: (record: Json) => void): string[] {
  const record = structuredClone(good);
  change(record);
  return validateSample([profile], record, library).undecidedRules.map(
    ({ element, needs }) => `${element}: ${needs}`,
  );
}

test.each([
  [wardPlan, goodPlan],
  [wardNote, goodNote],
])('accepts a valid record against %s', (profile, record) => {
  expect(validateSample([profile], record, library)).toEqual({
    findings: [],
    undecidedRules: [],
    missingProfiles: [],
  });
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
])('reports a plan with %s, at its element only', (_description, change, expected) => {
  expect(listFindings(wardPlan, goodPlan, change)).toEqual([expected]);
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
])('accepts a plan with %s', (_description, change) => {
  const record = structuredClone(goodPlan);
  change(record);
  expect(validateSample([wardPlan], record, library)).toEqual({
    findings: [],
    undecidedRules: [],
    missingProfiles: [],
  });
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
])('reports a note with %s in the nested slice', (_description, change, expected) => {
  expect(listFindings(wardNote, goodNote, change)).toEqual([expected]);
});

test('leaves a rule undecided if definitions are missing', () => {
  expect(
    listUndecided(wardPlan, goodPlan, (plan) => {
      plan.activity[0].detail.statusReason = { coding: [{ system: 'http://snomed.info/sct', code: '1' }] };
    }),
  ).toEqual(['CarePlan.activity.detail.statusReason: CodeSystem http://snomed.info/sct']);
  // A code of another system is certainly outside a value set of SNOMED CT.
  expect(
    listFindings(wardPlan, goodPlan, (plan) => {
      plan.activity[0].detail.statusReason = { coding: [{ system: 'http://x', code: '1' }] };
    }),
  ).toEqual(['CarePlan.activity.detail.statusReason/code /activity/0/detail/statusReason']);
  expect(listUndecided(wardPlan, goodPlan, (plan) => (plan.goal = [{ reference: 'Goal/1' }]))).toEqual([
    expect.stringMatching(/^CarePlan\.goal: the referenced resource/),
  ]);
});

test('reports a slice of a slice as undecided, and validates the remaining rules', () => {
  const { undecidedRules, findings } = validateSample(
    [reslicedPlan],
    { ...goodPlan, category: undefined },
    library,
  );
  expect(undecidedRules.map(({ element, needs }) => [element, needs])).toEqual([
    ['CarePlan.category:ward/night', 're-slicing, which is not supported'],
  ]);
  expect(findings.map(({ rule }) => rule)).toContain('profile/resliced-plan#CarePlan.category/min');
});

test('reports a profile without a snapshot as undecided', () => {
  const [plan] = wardDefinitions;
  const libraryWithoutSnapshot = libraryOf(setOf([{ ...plan, snapshot: undefined }]));
  const root = rootOf(goodPlan);
  const { findings, undecidedRules, missingProfiles } = validateAgainst(
    [wardPlan],
    root,
    'CarePlan',
    libraryWithoutSnapshot,
  );
  expect([findings, missingProfiles]).toEqual([[], []]);
  expect(undecidedRules.map(({ needs }) => needs)).toEqual([
    'a snapshot of the profile, because a differential alone can’t be checked',
  ]);
});

test('lists profiles that are not available or of another type', () => {
  const root = rootOf(goodPlan);
  const { missingProfiles } = validateAgainst(['http://x', wardNote, wardPlan], root, 'CarePlan', library);
  expect(missingProfiles).toEqual(['http://x', wardNote]);
});

test('names profile and version in each finding, and no value of the record', () => {
  const record = structuredClone(goodPlan) as Json;
  record.identifier[0].value = 'canary-1';
  record.title = 'canary';
  for (const { text, diagnostics } of validateSample([wardPlan], record, library).findings) {
    expect(diagnostics).toContain(`${wardPlan}|1.0.0`);
    expect(`${text} ${diagnostics}`).not.toContain('canary');
  }
});
