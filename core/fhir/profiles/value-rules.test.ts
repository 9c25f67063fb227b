/** Profile rules for single values: types, limits, codes and references. */
import { describe, expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import type { Definition } from './conformance.ts';
import { libraryOf } from './library.ts';
import { validateSample } from './testing/judged.ts';
import { element, structure, wardBed, wardDefinitions } from './testing/profiles.ts';
import { setOf } from './testing/sets.ts';

const base = 'http://ward.example/fhir/StructureDefinition';
const profile = `${base}/values`;
const anyCount = [0, '*'] as const;
const zeroOrOne = [0, '1'] as const;
const codes = 'http://ward.example/fhir/CodeSystem/ward';
const wardCodes = 'http://ward.example/fhir/ValueSet/ward';
type Elements = readonly ReturnType<typeof element>[];

/** Returns findings and undecided rules of a plan, with their pointers. */
function listFindings(elements: Elements, plan: object, definitions: readonly Definition[] = []): string[] {
  const library = libraryOf(
    setOf([...wardDefinitions, ...definitions, structure(profile, 'CarePlan', elements)]),
  );
  const { findings, undecidedRules } = validateSample(
    [profile],
    { resourceType: 'CarePlan', ...plan },
    library,
  );
  return [
    ...findings.map(({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`),
    ...undecidedRules.map(
      ({ element: elementId, needs, tokens }) => `${elementId} ${formatPointer(tokens)}: ${needs}`,
    ),
  ];
}

const titleElement = (members: Readonly<Record<string, unknown>>) => [
  element('CarePlan.title', 0, '1', zeroOrOne, members),
];

test.each<[others: Readonly<Record<string, unknown>>, plan: object, expected: readonly string[]]>([
  [{ maxLength: 3 }, { title: 'abc' }, []],
  [{ maxLength: 3 }, { title: 'abcd' }, ['CarePlan.title/length /title']],
  [{ maxLength: 3 }, { title: '😀😀😀' }, []],
  [{ maxLength: 3 }, { title: 1234 }, []],
  [{ minValueString: 'b' }, { title: 'b' }, []],
  [{ minValueString: 'b' }, { title: 'a' }, ['CarePlan.title/least /title']],
  [{ maxValueString: 'b' }, { title: 'b' }, []],
  [{ maxValueString: 'b' }, { title: 'c' }, ['CarePlan.title/most /title']],
  [
    { minValueString: 'b', maxValueString: 'd' },
    { title: 'aa' },
    ['CarePlan.title /title: a value comparable with its limit'],
  ],
  [
    { minValueString: 'b' },
    { _title: { id: 'x' } },
    ['CarePlan.title /title: a value comparable with its limit'],
  ],
])('limits a title by %j in %j', (members, plan, expected) => {
  expect([...new Set(listFindings(titleElement(members), plan))]).toEqual(expected);
});

const constraint = (severity: string, members: object = {}) => [
  { key: 'w-1', severity, human: 'Short.', expression: "$this = 'a'", ...members },
];

test('reports an advice as a warning, and a constraint without description by its key', () => {
  const validateTitle = (constraints: unknown) => {
    const library = libraryOf(
      setOf([structure(profile, 'CarePlan', titleElement({ constraint: constraints }))]),
    );
    return validateSample([profile], { resourceType: 'CarePlan', title: 'b' }, library).findings;
  };
  expect(validateTitle(constraint('warning'))).toMatchObject([
    { severity: 'warning', text: 'values: CarePlan.title: Short.', code: 'invariant' },
  ]);
  expect(validateTitle(constraint('error', { human: undefined }))).toMatchObject([
    { severity: 'error', text: 'values: CarePlan.title: w-1.' },
  ]);
  expect(validateTitle(constraint('error', { source: `${base}/other` }))).toHaveLength(1);
  expect(
    validateTitle(constraint('error', { source: 'http://hl7.org/fhir/StructureDefinition/CarePlan' })),
  ).toEqual([]);
  expect(validateTitle(constraint('error', { source: 'CarePlan' }))).toEqual([]);
  expect(validateTitle(constraint('error', { expression: undefined }))).toEqual([]);
});

test('leaves an invariant undecided for an element without a value', () => {
  expect(listFindings(titleElement({ constraint: constraint('error') }), { _title: { id: 'x' } })).toEqual([
    'CarePlan.title /title: w-1: a value to evaluate it on',
  ]);
});

test('describes an undecided constraint by sentence, code and parameters', () => {
  const library = libraryOf(
    setOf([structure(profile, 'CarePlan', titleElement({ constraint: constraint('error') }))]),
  );
  const plan = { resourceType: 'CarePlan', _title: { id: 'x' } };
  expect(validateSample([profile], plan, library).undecidedRules).toMatchObject([
    {
      text: 'Not checked: constraint w-1 of CarePlan.title needs a value to evaluate it on.',
      messageCode: 'needs.value',
      parameters: { element: 'CarePlan.title', constraint: 'w-1' },
    },
  ]);
});

const coded = (type: string, strength: string, valueSet = wardCodes) => [
  element('CarePlan.category', 0, '*', anyCount, { type: [{ code: type }], binding: { strength, valueSet } }),
];
const category = (value: unknown) => ({ category: [value] });
const [inside, outside] = [
  { coding: [{ system: codes, code: 'night' }] },
  { coding: [{ system: codes, code: 'home' }] },
];
const wrong = 'CarePlan.category/code /category/0';
const advised = 'CarePlan.category/code-advised /category/0';

describe('a code', () => {
  test.each<[type: string, strength: string, value: unknown, expected: readonly string[]]>([
    ['CodeableConcept', 'required', inside, []],
    ['CodeableConcept', 'required', outside, [wrong]],
    ['CodeableConcept', 'required', { text: 'night' }, [wrong]],
    ['CodeableConcept', 'required', { coding: [] }, [wrong]],
    ['Coding', 'required', { display: 'night' }, [wrong]],
    ['Coding', 'required', inside.coding[0], []],
    ['Quantity', 'required', { value: 1 }, []],
    ['code', 'required', 'night', []],
    ['code', 'required', 'day', [wrong]],
    ['CodeableConcept', 'extensible', outside, [advised]],
    ['CodeableConcept', 'extensible', { coding: [{ system: 'http://x', code: 'home' }] }, []],
    ['CodeableConcept', 'extensible', { text: 'night' }, []],
    ['CodeableConcept', 'extensible', { coding: [{ code: 'night' }] }, []],
    ['CodeableConcept', 'required', { coding: [{ code: 'night' }] }, [wrong]],
    ['code', 'extensible', 'day', [advised]],
    ['CodeableConcept', 'preferred', outside, []],
    ['CodeableConcept', 'example', outside, []],
  ])('validates the type %s with a %s value set: %j', (type, strength, value, expected) => {
    expect(listFindings(coded(type, strength), category(value))).toEqual(expected);
  });

  test('is undecided if its value set is not available', () => {
    const concept = { coding: [{ system: 'http://x', code: 'y' }] };
    expect(listFindings(coded('CodeableConcept', 'required', 'http://none'), category(concept))).toEqual([
      expect.stringMatching(/^CarePlan\.category \/category\/0: .*http:\/\/none/),
    ]);
  });

  test('must have the display of its system, apart from white space and case', () => {
    const listDisplayFindings = (display: string, members: object = {}) =>
      listFindings(
        coded('CodeableConcept', 'required'),
        category({ coding: [{ ...inside.coding[0], display, ...members }] }),
      );
    const strange = 'CarePlan.category/display /category/0/coding/0/display';
    expect(listDisplayFindings(' by  NIGHT ')).toEqual([]);
    expect(listDisplayFindings('By day')).toEqual([strange]);
    expect(listDisplayFindings('By day', { system: undefined })).toEqual([wrong]);
    expect(listDisplayFindings('By day', { code: 'course' })).toEqual([wrong]);
    expect(
      listFindings(coded('Coding', 'required'), category({ ...inside.coding[0], display: 'x' })),
    ).toEqual(['CarePlan.category/display /category/0/display']);
  });
});

const referring = (...targetProfile: readonly string[]) => [
  element('CarePlan.subject', 1, '1', [1, '1'], { type: [{ code: 'Reference', targetProfile }] }),
];
const r4 = (name: string) => `http://hl7.org/fhir/StructureDefinition/${name}`;
const wrongTarget = ['CarePlan.subject/target /subject'];

test.each<[targets: readonly string[], subject: object, expected: readonly string[]]>([
  [[r4('Patient')], { reference: 'Patient/1' }, []],
  [[r4('Patient')], { reference: 'Group/1' }, wrongTarget],
  [[r4('Patient'), r4('Group')], { reference: 'Group/1' }, []],
  [[r4('Patient')], { type: 'Group', identifier: { value: 'x' } }, wrongTarget],
  [[r4('Patient')], { type: 'Patient', identifier: { value: 'x' } }, []],
  [[r4('Patient')], { display: 'A' }, []],
  [[r4('Resource'), r4('Patient')], { reference: 'Group/1' }, []],
  [
    [r4('Patient')],
    { reference: 'urn:uuid:1' },
    [`CarePlan.subject /subject: the referenced resource, to check it against ${r4('Patient')}`],
  ],
  [
    [r4('Group'), `${base}/ward-goal`],
    { reference: 'Goal/1' },
    [`CarePlan.subject /subject: the referenced resource, to check it against ${base}/ward-goal`],
  ],
  [
    ['http://none/a', 'http://none/b'],
    { reference: 'Goal/1' },
    [
      'CarePlan.subject /subject: the referenced resource, to check it against http://none/a or http://none/b',
    ],
  ],
])('validates a reference to %j by %j', (targets, subject, expected) => {
  expect(listFindings(referring(...targets), { subject })).toEqual(expected);
});

test('requires one of several profiles, and is undecided if one is not available', () => {
  const concept = (name: string, text: string) =>
    structure(`${base}/${name}`, 'CodeableConcept', [
      element('CodeableConcept.text', 1, '1', zeroOrOne, { fixedString: text }),
    ]);
  const concepts = [concept('first', 'A'), concept('second', 'B')];
  const profiledElements = (...names: readonly string[]) => [
    element('CarePlan.category', 0, '*', anyCount, {
      type: [{ code: 'CodeableConcept', profile: names.map((name) => `${base}/${name}`) }],
    }),
  ];
  const listCategoryFindings = (text: string, ...names: readonly string[]) =>
    listFindings(profiledElements(...names), category({ text }), concepts);
  expect(listCategoryFindings('B', 'first', 'second')).toEqual([]);
  expect(listCategoryFindings('C', 'first', 'second')).toEqual([
    'CarePlan.category/type-profile /category/0',
  ]);
  expect(listCategoryFindings('C', 'first', 'third')).toEqual([
    `CarePlan.category /category/0: StructureDefinition ${base}/third, or a package it depends on`,
  ]);
  expect(listCategoryFindings('C', 'first')).toEqual(['CodeableConcept.text/fixed /category/0/text']);
  expect(listCategoryFindings('C', 'third')).toEqual([
    `CarePlan.category /category/0: StructureDefinition ${base}/third`,
  ]);
});

test.each<[what: string, plan: object, places: readonly string[]]>([
  [
    'an item of a list',
    { note: [{ text: 'n' }, { extension: [{ url: wardBed }] }] },
    ['/note/1/extension/0'],
  ],
  [
    'a list in a list',
    { activity: [{ progress: [{ extension: [{ url: wardBed }] }] }] },
    ['/activity/0/progress/0/extension/0'],
  ],
  ['a modifier', { modifierExtension: [{ url: wardBed }] }, ['/modifierExtension/0']],
  [
    'the sibling of a value',
    { _title: { extension: [{ url: 'x' }, { url: wardBed }] } },
    ['/_title/extension/1'],
  ],
  [
    'the siblings of a list',
    { _instantiatesUri: [null, { extension: [{ url: wardBed }] }] },
    ['/_instantiatesUri/1/extension/0'],
  ],
  ['another extension', { extension: [{ url: 'x', extension: [{ url: wardBed }] }] }, []],
  ['nothing', { extension: [7, {}], note: 'x', goal: [[{ extension: [{ url: wardBed }] }]] }, []],
])('validates the extension of %s by its definition', (_description, plan, places) => {
  expect(listFindings([], plan)).toEqual(places.map((place) => `Extension.value[x]/min ${place}`));
});

test('validates content by the referenced element', () => {
  const elements = [
    element('CarePlan.activity', 0, '*', anyCount),
    element('CarePlan.activity.detail', 0, '1', zeroOrOne, { contentReference: '#CarePlan.period' }),
    element('CarePlan.period', 0, '1', zeroOrOne),
    element('CarePlan.period.start', 1, '1', zeroOrOne),
  ];
  expect(listFindings(elements, { activity: [{ detail: {} }] })).toEqual([
    'CarePlan.period.start/min /activity/0/detail',
  ]);
});

test('reports profiles that refer to each other in a circle', () => {
  const loop = structure(`${base}/loop`, 'Annotation', [
    element('Annotation.text', 0, '1', zeroOrOne, { type: [{ code: 'string', profile: [`${base}/loop`] }] }),
  ]);
  const root = {
    ...element('Annotation', 0, '*', anyCount),
    type: [{ code: 'Annotation', profile: [`${base}/loop`] }],
  };
  const circle = { ...loop, snapshot: { element: [root] } };
  const elements = [
    element('CarePlan.note', 0, '*', anyCount, { type: [{ code: 'Annotation', profile: [`${base}/loop`] }] }),
  ];
  expect(listFindings(elements, { note: [{ text: 'n' }] }, [circle])).toEqual([
    'Annotation /note/0: profiles that don’t refer to each other in a circle',
  ]);
});
