import { describe, expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { libraryOf } from './library.ts';
import { element, structure } from './testing/profiles.ts';
import { validateSample } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';

const profile = 'http://ward.example/fhir/StructureDefinition/sliced';
const anyCount = [0, '*'] as const;
const zeroOrOne = [0, '1'] as const;
type Elements = readonly ReturnType<typeof element>[];

/** Returns findings and undecided rules of a plan, with their pointers. */
function listFindings(elements: Elements, plan: object) {
  const library = libraryOf(setOf([structure(profile, 'CarePlan', elements)]));
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

const identified = (...identifier: readonly object[]) => ({ identifier });
const sliceBy = (type: string, path: string, members: Readonly<Record<string, unknown>> = {}) => ({
  slicing: { discriminator: [{ type, path }], rules: 'open', ...members },
});

/** Returns one closed slice of identifiers, selected by the value. */
function byValue(
  type: string,
  min: number,
  max: string,
  members: Readonly<Record<string, unknown>> = {},
): Elements {
  return [
    element('CarePlan.identifier', 0, '*', anyCount, sliceBy(type, 'value', { rules: 'closed' })),
    element('CarePlan.identifier:own', 0, '*', anyCount),
    element('CarePlan.identifier:own.value', min, max, zeroOrOne, members),
  ];
}

const [withValue, withoutValue] = [{ value: '1' }, { system: 'x' }];
const outsideSlice = 'CarePlan.identifier/closed /identifier/0';
const open = 'CarePlan.identifier /identifier/0: the value that selects its slice';

describe.each(['value', 'pattern', 'exists'])('by %s, where the profile says that the element', (type) => {
  test.each([
    ['is there', byValue(type, 1, '1'), withValue, []],
    ['is there', byValue(type, 1, '1'), withoutValue, [outsideSlice]],
    ['is not there', byValue(type, 0, '0'), withoutValue, []],
    ['is not there', byValue(type, 0, '0'), withValue, [outsideSlice]],
    ['may be there', byValue(type, 0, '1'), withValue, [open]],
    ['may be there', byValue(type, 0, '1'), withoutValue, [open]],
  ])('%s', (_description, elements, identifier, expected) => {
    const lines = listFindings(elements, identified(identifier));
    expect(lines.filter((line) => !line.includes('whether it is in the slice'))).toEqual(expected);
  });
});

test.each([
  ['a value that is fixed', { fixedString: '1' }, withValue, []],
  ['a value that is fixed', { fixedString: '1' }, { value: '2' }, [outsideSlice]],
  ['a value that is fixed', { fixedString: '1' }, withoutValue, [outsideSlice]],
  ['a pattern', { patternString: '1' }, withValue, []],
  ['a pattern', { patternString: '1' }, { value: '2' }, [outsideSlice]],
])('selects a slice by %s', (_description, rule, identifier, expected) => {
  expect(listFindings(byValue('value', 0, '1', rule), identified(identifier))).toEqual(expected);
});

test('leaves the slice undecided if the path is not supported', () => {
  const elements = [
    element('CarePlan.identifier', 0, '*', anyCount, sliceBy('value', 'value.odd()', { rules: 'closed' })),
    element('CarePlan.identifier:own', 1, '1', anyCount),
  ];
  expect(listFindings(elements, identified(withValue))).toEqual(
    ['CarePlan.identifier:own : the values that show which are in the slice', open].toSorted(),
  );
});

const counting = (min: number, max: string) => [
  element('CarePlan.identifier', 0, '*', anyCount, sliceBy('value', 'value')),
  element('CarePlan.identifier:own', min, max, anyCount),
  element('CarePlan.identifier:own.value', 0, '1', zeroOrOne),
];

test.each([
  [1, '*', 0, ['CarePlan.identifier:own/min ']],
  [1, '*', 1, ['CarePlan.identifier:own : the values that show which are in the slice']],
  [0, '1', 1, []],
  [0, '1', 2, ['CarePlan.identifier:own : the values that show which are in the slice']],
  [3, '*', 2, ['CarePlan.identifier:own/min ']],
])('limits a slice to %d to %s values, of which %d are undecided', (min, max, count, expected) => {
  const identifier = Array.from({ length: count }, () => withValue);
  expect(listFindings(counting(min, max), identified(...identifier))).toEqual(expected);
});

test('reports slices without a discriminator as undecided, and validates the element', () => {
  const elements = [
    element('CarePlan.identifier', 0, '1', anyCount, { slicing: { discriminator: [], rules: 'open' } }),
    element('CarePlan.identifier:own', 1, '1', anyCount),
  ];
  expect(listFindings(elements, identified(withValue, withValue))).toEqual([
    'CarePlan.identifier/max /identifier/1',
    'CarePlan.identifier : a discriminator for its slices',
  ]);
});

test('validates values outside all slices by the default slice', () => {
  const elements = [
    element('CarePlan.identifier', 0, '*', anyCount, sliceBy('value', 'system', { rules: 'closed' })),
    element('CarePlan.identifier:own', 0, '1', anyCount),
    element('CarePlan.identifier:own.system', 1, '1', zeroOrOne, { fixedUri: 'own' }),
    element('CarePlan.identifier:@default', 0, '*', anyCount),
    element('CarePlan.identifier:@default.value', 1, '1', zeroOrOne),
  ];
  expect(
    listFindings(elements, identified({ system: 'own' }, { system: 'x', value: '1' }, { system: 'x' })),
  ).toEqual(['CarePlan.identifier:@default.value/min /identifier/2']);
});

const ordered = (members: Readonly<Record<string, unknown>>) => [
  element('CarePlan.identifier', 0, '*', anyCount, sliceBy('value', 'system', members)),
  ...['a', 'b'].flatMap((name) => [
    element(`CarePlan.identifier:${name}`, 0, '*', anyCount),
    element(`CarePlan.identifier:${name}.system`, 1, '1', zeroOrOne, { fixedUri: name }),
  ]),
];
const systems = (text: string) => identified(...text.split('').map((system) => ({ system })));

test.each([
  [{ ordered: true }, 'aabb', []],
  [{ ordered: true }, 'xaxbx', []],
  [{ ordered: true }, 'aba', ['CarePlan.identifier/order /identifier/2']],
  [{ ordered: true }, 'baba', ['CarePlan.identifier/order /identifier/1']],
  [{ rules: 'openAtEnd' }, 'baxx', []],
  [{ rules: 'openAtEnd' }, 'xx', []],
  [{ rules: 'openAtEnd' }, 'axb', ['CarePlan.identifier/order /identifier/1']],
  [{ rules: 'open' }, 'xbxa', []],
  [{ rules: 'closed' }, 'abx', ['CarePlan.identifier/closed /identifier/2']],
])('applies the order of slices that are %j to %s', (members, text, expected) => {
  expect(listFindings(ordered(members), systems(text))).toEqual(expected);
});

test.each([
  [{ ordered: true }, 'ba', 'order: CarePlan.identifier is out of order: a, b.'],
  [
    { rules: 'openAtEnd' },
    'xa',
    'order: CarePlan.identifier is out of order: items outside slices must come last.',
  ],
])('explains the order of slices that are %j for %s', (members, text, sentence) => {
  const library = libraryOf(setOf([structure(profile, 'CarePlan', ordered(members))]));
  const { findings } = validateSample([profile], { resourceType: 'CarePlan', ...systems(text) }, library);
  expect(findings.map((finding) => finding.text.replace(/^[^:]*/, 'order'))).toEqual([sentence]);
});

test('selects slices of a choice by type', () => {
  const path = 'CarePlan.activity.detail.scheduled[x]';
  const elements = [
    element('CarePlan.activity', 0, '*', anyCount),
    element('CarePlan.activity.detail', 0, '1', zeroOrOne),
    element(path, 0, '1', zeroOrOne, { slicing: { discriminator: [], rules: 'open' } }),
    element(`${path}:scheduledPeriod`, 0, '1', zeroOrOne, { type: [{ code: 'Period' }] }),
    element(`${path}:scheduledPeriod.end`, 1, '1', zeroOrOne),
  ];
  const detail = (parts: object) => ({ activity: [{ detail: parts }] });
  expect(listFindings(elements, detail({ scheduledString: 'daily' }))).toEqual([]);
  expect(listFindings(elements, detail({ scheduledPeriod: {} }))).toEqual([
    `${path}:scheduledPeriod.end/min /activity/0/detail/scheduledPeriod`,
  ]);
});

test.each([
  ['Goal', []],
  ['Condition', []],
  ['Patient', ['CarePlan.contained/closed /contained/0']],
])('restricts a slice of goals and conditions for a %s', (resourceType, expected) => {
  const elements = [
    element('CarePlan.contained', 0, '*', anyCount, sliceBy('type', '$this', { rules: 'closed' })),
    element('CarePlan.contained:problems', 0, '*', anyCount, {
      type: [{ code: 'Goal' }, { code: 'Condition' }],
    }),
  ];
  expect(listFindings(elements, { contained: [{ resourceType, id: 'a' }] })).toEqual(expected);
});

test('validates a value in two slices by both', () => {
  const elements = [
    element('CarePlan.identifier', 0, '*', anyCount, sliceBy('value', 'system')),
    ...['value', 'assigner'].flatMap((name) => [
      element(`CarePlan.identifier:${name}`, 0, '*', anyCount),
      element(`CarePlan.identifier:${name}.system`, 1, '1', zeroOrOne, { fixedUri: 'x' }),
      element(`CarePlan.identifier:${name}.${name}`, 1, '1', zeroOrOne),
    ]),
  ];
  expect(listFindings(elements, identified({ system: 'x' }))).toHaveLength(2);
});
