import { expect, test } from 'vitest';
import { findDialect, isFusedComment, isVagueName } from './word-rules.ts';
import { measureSource, type Measures } from './words.ts';

const createMeasures = (): Measures => ({
  'vague locals': { total: 0, places: [] },
  'vague functions and members': { total: 0, places: [] },
  'fused comments': { total: 0, places: [] },
  'packed spreads': { total: 0, places: [] },
  'test titles in dialect': { total: 0, places: [] },
});

function measure(text: string, isTest = false): Measures {
  const measures = createMeasures();
  measureSource('module.tsx', text, measures, isTest);
  return measures;
}

test.each([
  ['found', true],
  ['askedBy', true],
  ['what', true],
  ['foundRecord', false],
  ['readOnly', false],
  ['isClosed', false],
])('calls the name %s vague: %s', (name, expected) => {
  expect(isVagueName(name, { isBoolean: false, isFunction: false })).toBe(expected);
});

test('accepts a participle for a boolean and an imperative for a function', () => {
  expect(isVagueName('stopped', { isBoolean: true, isFunction: false })).toBe(false);
  expect(isVagueName('read', { isBoolean: false, isFunction: true })).toBe(false);
});

test('counts locals apart from functions and members', () => {
  const measures = measure(
    'const found = 1; let done = false; function asked(it: string) {} interface A { kept: 1 }',
  );
  expect(measures['vague locals']).toEqual({ total: 3, places: ['module.tsx:1: found', 'module.tsx:1: it'] });
  expect(measures['vague functions and members'].places).toEqual([
    'module.tsx:1: asked',
    'module.tsx:1: kept',
  ]);
});

test('finds spreads of literals in objects, lists and elements', () => {
  const { places } = measure('const a = { ...{ b } }, c = [...[d]], e = <F {...{ g }} />, h = { ...i };')[
    'packed spreads'
  ];
  expect(places).toHaveLength(3);
});

test('reads comments, not strings or text of elements', () => {
  const text = `
    /** What it does. */
    const url = 'http://what.example'; // Whoever asks.
    const element = <p>see // what is here</p>;
    // Returns the id.
    // @ts-expect-error what
    // One sentence
    // in two lines, for what was asked.
  `;
  const { total, places } = measure(text)['fused comments'];
  expect(places.map((place) => place.replace(/^.*?:\d+: /, ''))).toEqual([
    'What it does.',
    'Whoever asks.',
    'One sentence in two lines, for what was asked.',
  ]);
  expect(total).toBe(4);
});

test('accepts established idioms', () => {
  expect(isFusedComment('Says what to do.')).toBe(false);
  expect(isFusedComment('Tells whose record it is.')).toBe(true);
});

test('reads titles of tests only, templates and tables included', () => {
  const text =
    "test.each([1])('row %s', () => {}); test(`it ${1} stays`, () => {}); test('returns 1', () => {});";
  expect(measure(text)['test titles in dialect'].total).toBe(0);
  const { total, places } = measure(text, true)['test titles in dialect'];
  expect([total, places.length]).toEqual([3, 1]);
  expect(findDialect('row 3: x')).toBe('number of a row or item');
  expect(findDialect('returns 412 for a stale tag')).toBeUndefined();
});
