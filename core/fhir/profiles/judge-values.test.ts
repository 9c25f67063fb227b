/** What profiles demand of single values: their types, limits, codes and references. */
import { describe, expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import type { Definition } from './conformance.ts';
import { libraryOf } from './library.ts';
import { judged } from './testing/judged.ts';
import { element, structure, wardBed, wardDefinitions } from './testing/profiles.ts';
import { setOf } from './testing/sets.ts';

const base = 'http://ward.example/fhir/StructureDefinition';
const profile = `${base}/values`;
const any = [0, '*'] as const;
const one = [0, '1'] as const;
const codes = 'http://ward.example/fhir/CodeSystem/ward';
const wardCodes = 'http://ward.example/fhir/ValueSet/ward';
type Elements = readonly ReturnType<typeof element>[];

/** What is found in a plan, and what is left open, each with its place. */
function told(elements: Elements, plan: object, more: readonly Definition[] = []): string[] {
  const library = libraryOf(setOf([...wardDefinitions, ...more, structure(profile, 'CarePlan', elements)]));
  const { findings, undecided } = judged([profile], { resourceType: 'CarePlan', ...plan }, library);
  return [
    ...findings.map(({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`),
    ...undecided.map(({ element: of, needs, tokens }) => `${of} ${formatPointer(tokens)}: ${needs}`),
  ];
}

const titled = (others: Readonly<Record<string, unknown>>) => [
  element('CarePlan.title', 0, '1', one, others),
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
    ['CarePlan.title /title: a value that can be compared with its limit'],
  ],
  [
    { minValueString: 'b' },
    { _title: { id: 'x' } },
    ['CarePlan.title /title: a value that can be compared with its limit'],
  ],
])('a title that is limited by %j in %j', (others, plan, expected) => {
  expect([...new Set(told(titled(others), plan))]).toEqual(expected);
});

const constraint = (severity: string, more: object = {}) => [
  { key: 'w-1', severity, human: 'Short.', expression: "$this = 'a'", ...more },
];

test('an invariant that is advice is a warning, and one without words is told by its key', () => {
  const judge = (of: unknown) => {
    const library = libraryOf(setOf([structure(profile, 'CarePlan', titled({ constraint: of }))]));
    return judged([profile], { resourceType: 'CarePlan', title: 'b' }, library).findings;
  };
  expect(judge(constraint('warning'))).toMatchObject([
    { severity: 'warning', text: 'values: CarePlan.title: Short.', code: 'invariant' },
  ]);
  expect(judge(constraint('error', { human: undefined }))).toMatchObject([
    { severity: 'error', text: 'values: CarePlan.title: w-1.' },
  ]);
  expect(judge(constraint('error', { source: `${base}/other` }))).toHaveLength(1);
  expect(judge(constraint('error', { source: 'http://hl7.org/fhir/StructureDefinition/CarePlan' }))).toEqual(
    [],
  );
  expect(judge(constraint('error', { source: 'CarePlan' }))).toEqual([]);
  expect(judge(constraint('error', { expression: undefined }))).toEqual([]);
});

test('an invariant of an element without a value is open', () => {
  expect(told(titled({ constraint: constraint('error') }), { _title: { id: 'x' } })).toEqual([
    'CarePlan.title /title: w-1: a value to ask it of',
  ]);
});

const coded = (type: string, strength: string, valueSet = wardCodes) => [
  element('CarePlan.category', 0, '*', any, { type: [{ code: type }], binding: { strength, valueSet } }),
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
  ])('of the type %s that is %s in a value set: %j', (type, strength, value, expected) => {
    expect(told(coded(type, strength), category(value))).toEqual(expected);
  });

  test('of a value set that is not at hand is open, unless one that is in it stands beside', () => {
    const both = { coding: [{ system: 'http://x', code: 'y' }] };
    expect(told(coded('CodeableConcept', 'required', 'http://none'), category(both))).toEqual([
      expect.stringMatching(/^CarePlan\.category \/category\/0: .*http:\/\/none/),
    ]);
  });

  test('has the display of its system, white space and case aside', () => {
    const shown = (display: string, more: object = {}) =>
      told(
        coded('CodeableConcept', 'required'),
        category({ coding: [{ ...inside.coding[0], display, ...more }] }),
      );
    const strange = 'CarePlan.category/display /category/0/coding/0/display';
    expect(shown(' by  NIGHT ')).toEqual([]);
    expect(shown('By day')).toEqual([strange]);
    expect(shown('By day', { system: undefined })).toEqual([wrong]);
    expect(shown('By day', { code: 'course' })).toEqual([wrong]);
    expect(told(coded('Coding', 'required'), category({ ...inside.coding[0], display: 'x' }))).toEqual([
      'CarePlan.category/display /category/0/display',
    ]);
  });
});

const referring = (...targetProfile: readonly string[]) => [
  element('CarePlan.subject', 1, '1', [1, '1'], { type: [{ code: 'Reference', targetProfile }] }),
];
const r4 = (name: string) => `http://hl7.org/fhir/StructureDefinition/${name}`;
const elsewhere = ['CarePlan.subject/target /subject'];

test.each<[targets: readonly string[], subject: object, expected: readonly string[]]>([
  [[r4('Patient')], { reference: 'Patient/1' }, []],
  [[r4('Patient')], { reference: 'Group/1' }, elsewhere],
  [[r4('Patient'), r4('Group')], { reference: 'Group/1' }, []],
  [[r4('Patient')], { type: 'Group', identifier: { value: 'x' } }, elsewhere],
  [[r4('Patient')], { type: 'Patient', identifier: { value: 'x' } }, []],
  [[r4('Patient')], { display: 'A' }, []],
  [[r4('Resource'), r4('Patient')], { reference: 'Group/1' }, []],
  [
    [r4('Patient')],
    { reference: 'urn:uuid:1' },
    [`CarePlan.subject /subject: the resource that is referred to, to judge it by ${r4('Patient')}`],
  ],
  [
    [r4('Group'), `${base}/ward-goal`],
    { reference: 'Goal/1' },
    [`CarePlan.subject /subject: the resource that is referred to, to judge it by ${base}/ward-goal`],
  ],
  [
    ['http://none/a', 'http://none/b'],
    { reference: 'Goal/1' },
    [
      'CarePlan.subject /subject: the resource that is referred to, to judge it by http://none/a or http://none/b',
    ],
  ],
])('what refers to %j by %j', (targets, subject, expected) => {
  expect(told(referring(...targets), { subject })).toEqual(expected);
});

test('a value fulfils one of several profiles, or none; one that is not at hand leaves it open', () => {
  const concept = (name: string, text: string) =>
    structure(`${base}/${name}`, 'CodeableConcept', [
      element('CodeableConcept.text', 1, '1', one, { fixedString: text }),
    ]);
  const both = [concept('first', 'A'), concept('second', 'B')];
  const asked = (...names: readonly string[]) => [
    element('CarePlan.category', 0, '*', any, {
      type: [{ code: 'CodeableConcept', profile: names.map((name) => `${base}/${name}`) }],
    }),
  ];
  const of = (text: string, ...names: readonly string[]) => told(asked(...names), category({ text }), both);
  expect(of('B', 'first', 'second')).toEqual([]);
  expect(of('C', 'first', 'second')).toEqual(['CarePlan.category/type-profile /category/0']);
  expect(of('C', 'first', 'third')).toEqual([
    `CarePlan.category /category/0: StructureDefinition ${base}/third, or what it needs`,
  ]);
  expect(of('C', 'first')).toEqual(['CodeableConcept.text/fixed /category/0/text']);
  expect(of('C', 'third')).toEqual([`CarePlan.category /category/0: StructureDefinition ${base}/third`]);
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
])('the extension of %s is judged by its definition where it stands', (_what, plan, places) => {
  expect(told([], plan)).toEqual(places.map((place) => `Extension.value[x]/min ${place}`));
});

test('the content that another element describes is judged as that is', () => {
  const elements = [
    element('CarePlan.activity', 0, '*', any),
    element('CarePlan.activity.detail', 0, '1', one, { contentReference: '#CarePlan.period' }),
    element('CarePlan.period', 0, '1', one),
    element('CarePlan.period.start', 1, '1', one),
  ];
  expect(told(elements, { activity: [{ detail: {} }] })).toEqual([
    'CarePlan.period.start/min /activity/0/detail',
  ]);
});

test('profiles that name each other in a circle come to an end, and are told', () => {
  const loop = structure(`${base}/loop`, 'Annotation', [
    element('Annotation.text', 0, '1', one, { type: [{ code: 'string', profile: [`${base}/loop`] }] }),
  ]);
  const root = {
    ...element('Annotation', 0, '*', any),
    type: [{ code: 'Annotation', profile: [`${base}/loop`] }],
  };
  const circle = { ...loop, snapshot: { element: [root] } };
  const elements = [
    element('CarePlan.note', 0, '*', any, { type: [{ code: 'Annotation', profile: [`${base}/loop`] }] }),
  ];
  expect(told(elements, { note: [{ text: 'n' }] }, [circle])).toEqual([
    'Annotation /note/0: its profiles name each other in a circle',
  ]);
});
