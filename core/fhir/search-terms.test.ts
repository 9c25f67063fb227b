import { describe, expect, test } from 'vitest';
import { FhirError } from './outcome.ts';
import type { ResourceType } from './resource.ts';
import { unbounded } from './search-date.ts';
import { readCriteria, type Pair } from './search.ts';

const now = Date.parse('2026-03-11T00:00:00Z');
const day = 24 * 60 * 60 * 1000;
const base = 'http://here/fhir-r4/v1';

const termsOf = (name: string, value: string, type: ResourceType = 'CarePlan') =>
  readCriteria(type, [[name, value]], { base, now }).terms;

function textOf(name: string, value: string, type: ResourceType = 'CarePlan'): string {
  try {
    termsOf(name, value, type);
  } catch (error) {
    if (error instanceof FhirError) return error.message;
    throw error;
  }
  return 'none';
}

const toTime = (text: string) => Date.parse(text);

describe('a date', () => {
  test.each([
    ['2026-03-01', 'eq', toTime('2026-03-01'), toTime('2026-03-02')],
    ['eq2026-03-01', 'eq', toTime('2026-03-01'), toTime('2026-03-02')],
    ...['ne', 'lt', 'gt', 'le', 'ge', 'sa', 'eb'].map((prefix): [string, string, number, number] => [
      `${prefix}2026-03-01`,
      ...([prefix, toTime('2026-03-01'), toTime('2026-03-02')] as const),
    ]),
    // The middle of the range is nine and a half days from now; a tenth of these days is added on each side.
    ['ap2026-03-01', 'ap', toTime('2026-03-01') - 0.95 * day, toTime('2026-03-02') + 0.95 * day],
    ['ap2026-03-20', 'ap', toTime('2026-03-20') - 0.95 * day, toTime('2026-03-21') + 0.95 * day],
  ])('parses %s as %s of its range', (value, prefix, low, high) => {
    expect(termsOf('date', value)).toEqual([
      { kind: 'date', key: 'CarePlan.date', values: [{ prefix, low, high }] },
    ]);
  });

  test('limits an approximate range to all times in whole milliseconds', () => {
    const [term] = readCriteria('CarePlan', [['date', 'ap2026-03-01T10:00:00.001Z']], { now: now + 7 }).terms;
    const [range] = term?.kind === 'date' ? term.values : [];
    expect([range?.low, range?.high].every(Number.isSafeInteger)).toBe(true);
    const [farTerm] = readCriteria('CarePlan', [['date', 'ap9999']], { now: -1e17 }).terms;
    expect(farTerm).toMatchObject({ values: [unbounded] });
  });

  test('compares the column of the last change', () => {
    expect(termsOf('_lastUpdated', 'ge2026')).toEqual([
      { kind: 'updated', values: [{ prefix: 'ge', low: toTime('2026-01-01'), high: toTime('2027-01-01') }] },
    ]);
  });

  test('rejects an invalid date and lists the prefixes', () => {
    expect(textOf('date', 'ge')).toBe(
      'The parameter date must be a date such as 2026-03-01, optionally with eq, ne, gt, lt, ge, le, sa, eb, or ap in front.',
    );
  });
});

describe('a reference', () => {
  test.each<[name: string, value: string, values: readonly object[], target?: string]>([
    ['patient', 'x', [{ id: 'x' }], 'Patient'],
    ['subject', `${base}/Patient/x`, [{ id: 'x', type: 'Patient' }]],
    ['subject', `${base}x/Patient/x`, [{ id: 'x', type: 'Patient', base: `${base}x` }]],
    ['subject:Patient', 'Patient/x', [{ id: 'x', type: 'Patient' }]],
    ['subject:Patient', 'Group/x', [{ id: '', type: 'Patient' }]],
    ['subject:Patient', 'urn:uuid:x', [{ id: 'x', base: 'urn:uuid', type: 'Patient' }]],
  ])('parses %s=%s', (name, value, values, target) => {
    const key = 'CarePlan.subject';
    const [term] = termsOf(name, value);
    expect(term).toEqual({ kind: 'reference', key, values: values, ...(target !== undefined && { target }) });
  });

  test('matches a canonical by its whole address or by its id', () => {
    expect(termsOf('instantiates-canonical', 'http://host/')).toMatchObject([
      { values: [{ id: 'http://host/' }] },
    ]);
    expect(termsOf('instantiates-canonical', 'PlanDefinition/x')).toMatchObject([
      { values: [{ id: 'x', type: 'PlanDefinition' }] },
    ]);
  });

  test('parses an identifier as a token', () => {
    expect(termsOf('subject:identifier', 's|v')).toEqual([
      { kind: 'token', key: 'CarePlan.subject', values: [{ system: 's', code: 'v' }], not: false },
    ]);
  });

  test('rejects a value without an id', () => {
    expect(textOf('subject', 'Patient/')).toBe('The parameter subject has no ID.');
  });
});

describe('a token', () => {
  test.each([
    ['status:not', 'Active', [{ code: 'active' }], true],
    ['status', 'http://x|active', [{ system: 'http://x', code: 'active' }], false],
    ['category', '|a', [{ system: null, code: 'a' }], false],
    ['category', 'a,|b', [{ code: 'a' }, { system: null, code: 'b' }], false],
  ])('parses %s=%s', (name, value, values, not) => {
    expect(termsOf(name, value)).toMatchObject([{ kind: 'token', values: values, not }]);
  });

  test.each([
    ['a|b|c', 'must be code, system|code, |code or system|'],
    ['|', 'has no value'],
  ])('rejects %s', (value, reason) => {
    expect(textOf('category', value)).toBe(`The parameter category ${reason}.`);
  });

  test('matches the start of its text', () => {
    expect(termsOf('category:text', 'Äpfel')).toEqual([
      { kind: 'string', key: 'CarePlan.category', match: 'start', values: ['apfel'] },
    ]);
  });
});

test('accepts an id after a bar and unescapes it', () => {
  expect(termsOf('_id', '|a,b\\|c')).toEqual([{ kind: 'id', values: ['a', 'b|c'] }]);
});

test.each([
  ['title', 'start', ['apfel']],
  ['title:contains', 'contains', ['apfel']],
  ['title:exact', 'exact', ['Äpfel']],
])('compares texts of %s by their %s', (name, match, values) => {
  expect(termsOf(name, 'Äpfel', 'Composition')).toMatchObject([{ kind: 'string', match, values: values }]);
});

test('compares a URI as a whole with its case', () => {
  expect(termsOf('instantiates-uri', 'http://x/A')).toMatchObject([
    { kind: 'string', match: 'exact', values: ['http://x/A'] },
  ]);
});

test.each<[name: string, value: string, expected: object]>([
  ['subject:missing', 'true', { table: 'reference', missing: true }],
  ['status:missing', 'false', { table: 'token', missing: false }],
  ['date:missing', 'true', { table: 'date', missing: true }],
  ['instantiates-uri:missing', 'true', { table: 'string', missing: true }],
  ['patient:missing', 'true', { table: 'reference', missing: true, target: 'Patient' }],
])('queries rows of an element for %s=%s', (name, value, expected) => {
  expect(termsOf(name, value)).toMatchObject([{ kind: 'missing', ...expected }]);
});

test('rejects other values of :missing than true and false', () => {
  expect(textOf('subject:missing', 'perhaps')).toBe('The parameter subject:missing must be true or false.');
});

test('accepts at most 250 values', () => {
  const ids = (count: number): Pair[] => [
    ['_id', Array(count).fill('x').join(',')],
    ['subject:missing', 'true'],
  ];
  expect(readCriteria('CarePlan', ids(249)).terms).toHaveLength(2);
  expect(() => readCriteria('CarePlan', ids(250))).toThrow(
    'A search can have at most 250 values. Send several searches.',
  );
});
