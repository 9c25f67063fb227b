import { expect, test } from 'vitest';
import { FhirError } from './outcome.ts';
import { formatCursor } from './search-cursor.ts';
import { latestFirst } from './search-criteria.ts';
import { readCriteria, type Pair } from './search.ts';

const parseCriteria = (query: readonly Pair[], lenient = false) =>
  readCriteria('Composition', query, { lenient, now: 0 });

function textOf(...query: readonly Pair[]): string {
  try {
    parseCriteria(query);
  } catch (error) {
    if (error instanceof FhirError) return error.message;
    throw error;
  }
  return 'none';
}

const supportedText =
  'Composition takes author, category, confidentiality, context, date, encounter, entry, identifier, patient, ' +
  'period, related-id, related-ref, section, status, subject, title, type';

test.each<[name: string, value: string, text: string]>([
  ['_count', '1x', 'The parameter _count must be a whole number from 0.'],
  ['_count', 'x1', 'The parameter _count must be a whole number from 0.'],
  ['_cursor', 'abc', 'The parameter _cursor must come from a link in a response to the same search.'],
  ['_summary', 'all', 'The parameter _summary must be true, text, data, count, or false.'],
  ['_total', 'some', 'The parameter _total must be none, estimate, or accurate.'],
  ['_pretty', '1', 'The parameter _pretty must be true or false.'],
  ['_elements', 'title,a.b', 'The parameter _elements must be names of top-level elements.'],
  ['_elements', 'a'.repeat(65), 'The parameter _elements must be names of top-level elements.'],
  ['_elements', 'title, ', 'The parameter _elements has no value.'],
  ['_sort', 'title,', 'The parameter _sort has no value.'],
  [
    '_sort',
    'ti-tle',
    'This sort order is not supported. Composition can be sorted by _id, _lastUpdated, status, date, and title.',
  ],
  [
    '_sort',
    'subject',
    'This sort order is not supported. Composition can be sorted by _id, _lastUpdated, status, date, and title.',
  ],
  ['subject', ' ', 'The parameter subject has no value.'],
  ['_count:exact', '1', 'The modifier :exact is not supported. _count supports no modifiers.'],
  [
    'title:above',
    'x',
    'The modifier :above is not supported. title supports :exact, :contains, and :missing.',
  ],
  ['title:odd', 'x', 'This modifier is not supported. title supports :exact, :contains, and :missing.'],
  [
    'subject:odd',
    'x',
    'This modifier is not supported. subject supports :[type], :identifier, and :missing.',
  ],
  ['subject.name', 'x', 'subject.name is not supported: chained parameters and _has are not available.'],
  [
    `subject.${'a'.repeat(64)}`,
    'x',
    'This parameter is not supported: chained parameters and _has are not available.',
  ],
  [
    '_include',
    'Composition:subject',
    '_include=Composition:subject is not supported. Composition supports _include and _revinclude of Composition:related-ref.',
  ],
  [
    '_include',
    '<b>',
    'This inclusion is not supported. Composition supports _include and _revinclude of Composition:related-ref.',
  ],
  [
    '_include',
    ' *',
    'This inclusion is not supported. Composition supports _include and _revinclude of Composition:related-ref.',
  ],
])('rejects %s=%s with a message', (name, value, text) => {
  expect(textOf([name, value])).toBe(text);
});

test('lists the supported parameters for an unknown one', () => {
  const message = textOf(['colour', 'red']);
  expect(message).toMatch(/^Unknown search parameter\. Composition supports _id, _lastUpdated, /);
  for (const name of supportedText.replace('Composition takes ', '').split(', '))
    expect(message).toContain(name);
  for (const name of ['_count', '_sort', '_summary']) expect(message).toContain(name);
  expect(message).not.toContain('_since');
});

test('accepts a result parameter once and a filter several times', () => {
  expect(textOf(['_sort', 'date'], ['_sort', 'date'])).toBe('The parameter _sort can be sent only once.');
  expect(
    parseCriteria([
      ['status', 'a'],
      ['status', 'b'],
    ]).terms,
  ).toHaveLength(2);
});

test('returns all records, latest first, without parameters', () => {
  expect(parseCriteria([])).toEqual({
    type: 'Composition',
    terms: [],
    sort: latestFirst,
    includes: [],
    usedPairs: [],
    totalOnly: false,
    withoutTotal: false,
    pretty: false,
  });
  expect(readCriteria('Composition', [])).toEqual(parseCriteria([]));
});

test('parses all result parameters', () => {
  const cursor = { keys: [0, 'x', 'a'], snapshot: '5', backwards: false };
  const sort = [
    { column: 'date', descending: true },
    { column: 'title', descending: false },
  ] as const;
  const query: Pair[] = [
    ...([
      ['_sort', '-date,title'],
      ['_count', '7'],
      ['_cursor', formatCursor(sort, cursor)],
    ] as const),
    ...([
      ['_total', 'none'],
      ['_pretty', 'true'],
      ['_summary', 'text'],
    ] as const),
  ];
  expect(parseCriteria(query)).toEqual({
    type: 'Composition',
    terms: [],
    includes: [],
    usedPairs: query,
    sort,
    count: 7,
    cursor,
    totalOnly: false,
    withoutTotal: true,
    pretty: true,
    projection: { summary: 'text' },
  });
});

test('replaces only the page size by its limit', () => {
  expect(
    parseCriteria([
      ['status', 'final'],
      ['_count', '5000'],
    ]).usedPairs,
  ).toEqual([
    ['status', 'final'],
    ['_count', '1000'],
  ]);
});

test('ignores chained parameters and inclusions if lenient', () => {
  const query: Pair[] = [
    ['_has:Observation:patient:code', 'x'],
    ['_include', 'x'],
    ['subject.name', 'x'],
    ['_id', 'a'],
  ];
  expect(parseCriteria(query, true)).toMatchObject({ usedPairs: [['_id', 'a']], includes: [] });
});

const included = (name: string, value: string) => readCriteria('CarePlan', [[name, value]], { now: 0 });

test.each([
  ['_include', 'CarePlan:part-of', false],
  ['_revinclude', 'CarePlan:replaces:CarePlan', true],
])('accepts %s=%s and applies it', (name, value, reverse) => {
  expect(included(name, value)).toMatchObject({ includes: [{ reverse }], usedPairs: [[name, value]] });
});

test.each([
  ['_include', 'Composition:part-of'],
  ['_include:iterate', 'CarePlan:part-of'],
  ['_include', 'CarePlan:subject'],
  ['_include', `CarePlan:${'a'.repeat(90)}`],
])('rejects %s=%s and lists the supported inclusions', (name, value) => {
  expect(() => included(name, value)).toThrow(
    `${name}=${value} is not supported. CarePlan supports _include and _revinclude of CarePlan:based-on, CarePlan:part-of, and CarePlan:replaces.`,
  );
});
