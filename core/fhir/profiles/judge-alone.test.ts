import { expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { libraryOf, type Library } from './library.ts';
import { judged, type Json } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';
import { element, goodPlan, structure, wardBed, wardDefinitions, wardPlan } from './testing/profiles.ts';

/** What a profile finds in a plan: the rules without its name, each with its place. */
function told(profile: string, plan: Json, library: Library): string[] {
  return judged([profile], plan, library).findings.map(
    ({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`,
  );
}

const onlyPlan = 'http://ward.example/fhir/StructureDefinition/only';
const any = [0, '*'] as const;
const one = [0, '1'] as const;
const fromResource = (name: string) => ({
  type: [{ code: 'Reference', targetProfile: [`http://hl7.org/fhir/StructureDefinition/${name}`] }],
});
const hour = { system: 'http://unitsofmeasure.org', code: 'h' };
const ele1 = { key: 'ele-1', severity: 'error', human: 'A title is Walk.', expression: "$this = 'Walk'" };

test.each([
  ['a lower limit', element('CarePlan.note', 1, '*', any), 'CarePlan.note/min '],
  ['an upper limit', element('CarePlan.identifier', 0, '1', any), 'CarePlan.identifier/max /identifier/1'],
  [
    'a value set for an element whose type is not told',
    element('CarePlan.category', 0, '*', any, {
      binding: { strength: 'required', valueSet: 'http://hl7.org/fhir/ValueSet/request-status' },
    }),
    'CarePlan.category/code /category/0',
  ],
  [
    'a latest date',
    element('CarePlan.period.start', 0, '1', one, { maxValueDate: '2020-01-01' }),
    'CarePlan.period.start/most /period/start',
  ],
  [
    'an invariant that has the key of one of R4',
    element('CarePlan.title', 0, '1', one, { constraint: [ele1] }),
    'CarePlan.title/ele-1 /title',
  ],
  [
    'a least quantity',
    element('CarePlan.activity.detail.quantity', 0, '1', one, { minValueQuantity: { ...hour, value: 2 } }),
    'CarePlan.activity.detail.quantity/least /activity/0/detail/quantity',
  ],
  [
    'a least quantity of another unit',
    element('CarePlan.activity.detail.quantity', 0, '1', one, {
      minValueQuantity: { ...hour, code: 'd', value: 2 },
    }),
  ],
  [
    'a title that is one text',
    element('CarePlan.title', 0, '1', one, { fixedString: 'Walk' }),
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
])('%s that a profile asks for alone is judged', (_what, asked, ...expected) => {
  const names = String(asked.id).split('.');
  const parents = names.slice(1, -1).map((_, at) => element(names.slice(0, at + 2).join('.'), 0, '*', any));
  const alone = libraryOf(setOf([structure(onlyPlan, 'CarePlan', [...parents, asked])]));
  expect(told(onlyPlan, goodPlan, alone)).toEqual(expected);
});

test.each([
  ['identifier-use|4.0.1', []],
  ['contact-point-use', ['CarePlan.identifier.use/code /identifier/0/use']],
])('a value set is judged unless R4 itself binds it to the element: %s', (valueSet, expected) => {
  const alone = libraryOf(
    setOf([
      structure(onlyPlan, 'CarePlan', [
        element('CarePlan.identifier', 0, '*', any),
        element('CarePlan.identifier.use', 0, '1', one, {
          base: { path: 'Identifier.use', min: 0, max: '1' },
          binding: { strength: 'required', valueSet: `http://hl7.org/fhir/ValueSet/${valueSet}` },
        }),
      ]),
    ]),
  );
  expect(told(onlyPlan, { ...goodPlan, identifier: [{ use: 'usual?' }] }, alone)).toEqual(expected);
});

const ward = libraryOf(setOf(wardDefinitions));
const found = (change: Json) => told(wardPlan, { ...goodPlan, ...change }, ward);

test('an extension that no profile of the record names is judged by its own definition, wherever it stands', () => {
  const expected = 'Extension.value[x]/min /period/extension/0';
  expect(found({ period: { ...goodPlan.period, extension: [{ url: wardBed }] } })).toEqual([expected]);
});

test('a reference to nothing that is contained is no target, and nothing breaks', () => {
  expect(found({ subject: { reference: '#nobody' } })).toEqual([]);
});

test('a text that is fixed is broken by whatever is no text', () => {
  const fixed = element('CarePlan.title', 0, '1', one, { fixedString: 'Walking' });
  const alone = libraryOf(setOf([structure(onlyPlan, 'CarePlan', [fixed])]));
  expect(told(onlyPlan, { ...goodPlan, title: { id: 'Walking' } }, alone)).toEqual([
    'CarePlan.title/fixed /title',
  ]);
});
