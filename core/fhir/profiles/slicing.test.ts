import { describe, expect, test } from 'vitest';
import { formatPointer } from '../../json/pointer.ts';
import { libraryOf } from './library.ts';
import { element, structure } from './testing/profiles.ts';
import { judged } from './testing/judged.ts';
import { setOf } from './testing/sets.ts';

const profile = 'http://ward.example/fhir/StructureDefinition/sliced';
const any = [0, '*'] as const;
const one = [0, '1'] as const;
type Elements = readonly ReturnType<typeof element>[];

/** What is found in a plan, and what is left open, each with its place. */
function told(elements: Elements, plan: object) {
  const library = libraryOf(setOf([structure(profile, 'CarePlan', elements)]));
  const { findings, undecided } = judged([profile], { resourceType: 'CarePlan', ...plan }, library);
  return [
    ...findings.map(({ rule, tokens }) => `${rule.replace(/^[^#]*#/, '')} ${formatPointer(tokens)}`),
    ...undecided.map(({ element: of, needs, tokens }) => `${of} ${formatPointer(tokens)}: ${needs}`),
  ];
}

const identified = (...identifier: readonly object[]) => ({ identifier });
const by = (type: string, path: string, others: Readonly<Record<string, unknown>> = {}) => ({
  slicing: { discriminator: [{ type, path }], rules: 'open', ...others },
});

/** Identifiers in one slice, which is told by its value; nothing else may stand there. */
function byValue(
  type: string,
  min: number,
  max: string,
  others: Readonly<Record<string, unknown>> = {},
): Elements {
  return [
    element('CarePlan.identifier', 0, '*', any, by(type, 'value', { rules: 'closed' })),
    element('CarePlan.identifier:own', 0, '*', any),
    element('CarePlan.identifier:own.value', min, max, one, others),
  ];
}

const [withValue, without] = [{ value: '1' }, { system: 'x' }];
const out = 'CarePlan.identifier/closed /identifier/0';
const open = 'CarePlan.identifier /identifier/0: what tells its slice';

describe.each(['value', 'pattern', 'exists'])('by %s of an element of which only is said that it', (type) => {
  test.each([
    ['is there', byValue(type, 1, '1'), withValue, []],
    ['is there', byValue(type, 1, '1'), without, [out]],
    ['is not there', byValue(type, 0, '0'), without, []],
    ['is not there', byValue(type, 0, '0'), withValue, [out]],
    ['may be there', byValue(type, 0, '1'), withValue, [open]],
    ['may be there', byValue(type, 0, '1'), without, [open]],
  ])('%s', (_what, elements, identifier, expected) => {
    const all = told(elements, identified(identifier));
    expect(all.filter((line) => !line.includes('whether it is in the slice'))).toEqual(expected);
  });
});

test.each([
  ['a value that is fixed', { fixedString: '1' }, withValue, []],
  ['a value that is fixed', { fixedString: '1' }, { value: '2' }, [out]],
  ['a value that is fixed', { fixedString: '1' }, without, [out]],
  ['a pattern', { patternString: '1' }, withValue, []],
  ['a pattern', { patternString: '1' }, { value: '2' }, [out]],
])('by %s a value is in the slice, or in none', (_what, asked, identifier, expected) => {
  expect(told(byValue('value', 0, '1', asked), identified(identifier))).toEqual(expected);
});

test('a path that cannot be taken leaves it open in which slice a value is', () => {
  const elements = [
    element('CarePlan.identifier', 0, '*', any, by('value', 'value.odd()', { rules: 'closed' })),
    element('CarePlan.identifier:own', 1, '1', any),
  ];
  expect(told(elements, identified(withValue))).toEqual(
    ['CarePlan.identifier:own : what tells which are in the slice', open].toSorted(),
  );
});

const counting = (min: number, max: string) => [
  element('CarePlan.identifier', 0, '*', any, by('value', 'value')),
  element('CarePlan.identifier:own', min, max, any),
  element('CarePlan.identifier:own.value', 0, '1', one),
];

test.each([
  [1, '*', 0, ['CarePlan.identifier:own/min ']],
  [1, '*', 1, ['CarePlan.identifier:own : what tells which are in the slice']],
  [0, '1', 1, []],
  [0, '1', 2, ['CarePlan.identifier:own : what tells which are in the slice']],
  [3, '*', 2, ['CarePlan.identifier:own/min ']],
])('of a slice of %d to %s with %d values of which it cannot be told', (min, max, count, expected) => {
  const identifier = Array.from({ length: count }, () => withValue);
  expect(told(counting(min, max), identified(...identifier))).toEqual(expected);
});

test('slices without a discriminator cannot be told, and the element is judged all the same', () => {
  const elements = [
    element('CarePlan.identifier', 0, '1', any, { slicing: { discriminator: [], rules: 'open' } }),
    element('CarePlan.identifier:own', 1, '1', any),
  ];
  expect(told(elements, identified(withValue, withValue))).toEqual([
    'CarePlan.identifier/max /identifier/1',
    'CarePlan.identifier : a discriminator for its slices',
  ]);
});

test('what is in no slice is judged by the slice for the others', () => {
  const elements = [
    element('CarePlan.identifier', 0, '*', any, by('value', 'system', { rules: 'closed' })),
    element('CarePlan.identifier:own', 0, '1', any),
    element('CarePlan.identifier:own.system', 1, '1', one, { fixedUri: 'own' }),
    element('CarePlan.identifier:@default', 0, '*', any),
    element('CarePlan.identifier:@default.value', 1, '1', one),
  ];
  expect(told(elements, identified({ system: 'own' }, { system: 'x', value: '1' }, { system: 'x' }))).toEqual(
    ['CarePlan.identifier:@default.value/min /identifier/2'],
  );
});

const ordered = (others: Readonly<Record<string, unknown>>) => [
  element('CarePlan.identifier', 0, '*', any, by('value', 'system', others)),
  ...['a', 'b'].flatMap((name) => [
    element(`CarePlan.identifier:${name}`, 0, '*', any),
    element(`CarePlan.identifier:${name}.system`, 1, '1', one, { fixedUri: name }),
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
])('slices that are %j take %s in this order, or do not', (others, text, expected) => {
  expect(told(ordered(others), systems(text))).toEqual(expected);
});

test('slices of a choice are told by its type', () => {
  const path = 'CarePlan.activity.detail.scheduled[x]';
  const elements = [
    element('CarePlan.activity', 0, '*', any),
    element('CarePlan.activity.detail', 0, '1', one),
    element(path, 0, '1', one, { slicing: { discriminator: [], rules: 'open' } }),
    element(`${path}:scheduledPeriod`, 0, '1', one, { type: [{ code: 'Period' }] }),
    element(`${path}:scheduledPeriod.end`, 1, '1', one),
  ];
  const detail = (parts: object) => ({ activity: [{ detail: parts }] });
  expect(told(elements, detail({ scheduledString: 'daily' }))).toEqual([]);
  expect(told(elements, detail({ scheduledPeriod: {} }))).toEqual([
    `${path}:scheduledPeriod.end/min /activity/0/detail/scheduledPeriod`,
  ]);
});

test.each([
  ['Goal', []],
  ['Condition', []],
  ['Patient', ['CarePlan.contained/closed /contained/0']],
])('a slice of goals and conditions takes a %s, or does not', (resourceType, expected) => {
  const elements = [
    element('CarePlan.contained', 0, '*', any, by('type', '$this', { rules: 'closed' })),
    element('CarePlan.contained:problems', 0, '*', any, { type: [{ code: 'Goal' }, { code: 'Condition' }] }),
  ];
  expect(told(elements, { contained: [{ resourceType, id: 'a' }] })).toEqual(expected);
});

test('a value that is in two slices is judged by both', () => {
  const elements = [
    element('CarePlan.identifier', 0, '*', any, by('value', 'system')),
    ...['value', 'assigner'].flatMap((name) => [
      element(`CarePlan.identifier:${name}`, 0, '*', any),
      element(`CarePlan.identifier:${name}.system`, 1, '1', one, { fixedUri: 'x' }),
      element(`CarePlan.identifier:${name}.${name}`, 1, '1', one),
    ]),
  ];
  expect(told(elements, identified({ system: 'x' }))).toHaveLength(2);
});
