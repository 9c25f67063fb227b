import { expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { libraryOf, type Library } from './library.ts';
import { validateSample, type Json } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';
import { element, goodPlan, structure, wardBed, wardDefinitions, wardPlan } from './testing/profiles.ts';

/** Returns rules and pointers of a plan's findings, without the profile's name. */
function listFindings(profile: string, plan: Json, library: Library): string[] {
  return validateSample([profile], plan, library).findings.map(
    ({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`,
  );
}

const onlyPlan = 'http://ward.example/fhir/StructureDefinition/only';
const anyCount = [0, '*'] as const;
const zeroOrOne = [0, '1'] as const;
const fromResource = (name: string) => ({
  type: [{ code: 'Reference', targetProfile: [`http://hl7.org/fhir/StructureDefinition/${name}`] }],
});
const hour = { system: 'http://unitsofmeasure.org', code: 'h' };
const ele1 = { key: 'ele-1', severity: 'error', human: 'A title is Walk.', expression: "$this = 'Walk'" };

test.each([
  ['a lower limit', element('CarePlan.note', 1, '*', anyCount), 'CarePlan.note/min '],
  [
    'an upper limit',
    element('CarePlan.identifier', 0, '1', anyCount),
    'CarePlan.identifier/max /identifier/1',
  ],
  [
    'a value set for an element whose type is not told',
    element('CarePlan.category', 0, '*', anyCount, {
      binding: { strength: 'required', valueSet: 'http://hl7.org/fhir/ValueSet/request-status' },
    }),
    'CarePlan.category/code /category/0',
  ],
  [
    'a latest date',
    element('CarePlan.period.start', 0, '1', zeroOrOne, { maxValueDate: '2020-01-01' }),
    'CarePlan.period.start/most /period/start',
  ],
  [
    'an invariant that has the key of one of R4',
    element('CarePlan.title', 0, '1', zeroOrOne, { constraint: [ele1] }),
    'CarePlan.title/ele-1 /title',
  ],
  [
    'a least quantity',
    element('CarePlan.activity.detail.quantity', 0, '1', zeroOrOne, {
      minValueQuantity: { ...hour, value: 2 },
    }),
    'CarePlan.activity.detail.quantity/least /activity/0/detail/quantity',
  ],
  [
    'a least quantity of another unit',
    element('CarePlan.activity.detail.quantity', 0, '1', zeroOrOne, {
      minValueQuantity: { ...hour, code: 'd', value: 2 },
    }),
  ],
  [
    'a title that is one text',
    element('CarePlan.title', 0, '1', zeroOrOne, { fixedString: 'Walk' }),
    'CarePlan.title/fixed /title',
  ],
  [
    'a type of what is referred to',
    element('CarePlan.subject', 1, '1', [1, '1'], fromResource('Group')),
    'CarePlan.subject/target /subject',
  ],
  [
    'any type of what is referred to',
    element('CarePlan.subject', 1, '1', [1, '1'], fromResource('Resource')),
  ],
])('validates a profile with only %s', (_description, ruleElement, ...expected) => {
  const names = String(ruleElement.id).split('.');
  const parents = names
    .slice(1, -1)
    .map((_, index) => element(names.slice(0, index + 2).join('.'), 0, '*', anyCount));
  const library = libraryOf(setOf([structure(onlyPlan, 'CarePlan', [...parents, ruleElement])]));
  expect(listFindings(onlyPlan, goodPlan, library)).toEqual(expected);
});

test.each([
  ['identifier-use|4.0.1', []],
  ['contact-point-use', ['CarePlan.identifier.use/code /identifier/0/use']],
])('validates a value set unless R4 binds it to the element: %s', (valueSet, expected) => {
  const library = libraryOf(
    setOf([
      structure(onlyPlan, 'CarePlan', [
        element('CarePlan.identifier', 0, '*', anyCount),
        element('CarePlan.identifier.use', 0, '1', zeroOrOne, {
          base: { path: 'Identifier.use', min: 0, max: '1' },
          binding: { strength: 'required', valueSet: `http://hl7.org/fhir/ValueSet/${valueSet}` },
        }),
      ]),
    ]),
  );
  expect(listFindings(onlyPlan, { ...goodPlan, identifier: [{ use: 'usual?' }] }, library)).toEqual(expected);
});

const ward = libraryOf(setOf(wardDefinitions));
const listWardFindings = (change: Json) => listFindings(wardPlan, { ...goodPlan, ...change }, ward);

test('validates an extension by its own definition at any element', () => {
  const expected = 'Extension.value[x]/min /period/extension/0';
  expect(listWardFindings({ period: { ...goodPlan.period, extension: [{ url: wardBed }] } })).toEqual([
    expected,
  ]);
});

test('accepts a reference to a missing contained resource as undecided target', () => {
  expect(listWardFindings({ subject: { reference: '#nobody' } })).toEqual([]);
});

test('rejects a value that is not a text for a fixed text', () => {
  const fixed = element('CarePlan.title', 0, '1', zeroOrOne, { fixedString: 'Walking' });
  const library = libraryOf(setOf([structure(onlyPlan, 'CarePlan', [fixed])]));
  expect(listFindings(onlyPlan, { ...goodPlan, title: { id: 'Walking' } }, library)).toEqual([
    'CarePlan.title/fixed /title',
  ]);
});
