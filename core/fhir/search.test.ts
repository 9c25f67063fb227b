import { describe, expect, test } from 'vitest';
import { FhirError } from './outcome.ts';
import { readHistoryCriteria } from './search-history.ts';
import { readCriteria, readInclude, type Pair } from './search.ts';

const parseCriteria = (query: string, lenient = false) =>
  readCriteria('Composition', pairsOf(query), { lenient, base: 'http://here/fhir-r4/v1', now: 0 });

function pairsOf(query: string): Pair[] {
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): Pair => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]);
}

function catchError(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof FhirError) return `${error.kind} ${error.problems[0]?.location ?? ''}`;
    throw error;
  }
  return 'none';
}

describe('values', () => {
  test.each([
    ['subject=x', [{ id: 'x' }]],
    [
      'subject=Patient/x,urn:uuid:y',
      [
        { id: 'x', type: 'Patient' },
        { id: 'y', base: 'urn:uuid' },
      ],
    ],
    ['subject=http://here/fhir-r4/v1/Patient/x/_history/2', [{ id: 'x', type: 'Patient' }]],
    ['subject=http://there/Patient/x', [{ id: 'x', type: 'Patient', base: 'http://there' }]],
    ['subject:Patient=x', [{ id: 'x', type: 'Patient' }]],
    ['subject=a\\,b', [{ id: 'a,b' }]],
    ['status=final', [{ code: 'final' }]],
    ['status=|Final', [{ system: null, code: 'final' }]],
    ['status=http://hl7.org/fhir/composition-status|final', [{ code: 'final' }]],
    ['category=http://loinc.org|', [{ system: 'http://loinc.org' }]],
    ['category=a\\|b|c\\,d', [{ system: 'a|b', code: 'c,d' }]],
    ['title=Äpfel,ÉTÉ', ['apfel', 'ete']],
    ['title:exact=Äpfel', ['Äpfel']],
  ])('parses %s', (query, values) => {
    expect(parseCriteria(query).terms[0]).toMatchObject({ values: values });
  });

  test.each([
    ['', 'none'],
    ['subject=', 'value http.subject'],
    ['subject=%20'.replace('%20', ' '), 'value http.subject'],
    ['subject=a,,b', 'value http.subject'],
    ['subject=Patient/', 'value http.subject'],
    ['status=|', 'value http.status'],
    ['status=a|b|c', 'value http.status'],
    ['nobody.name=x', 'not-accepted http.nobody.name'],
    ['date=tomorrow', 'value http.date'],
    ['date=xx2026', 'value http.date'],
    ['date=2026-02-30', 'value http.date'],
    ['date:missing=perhaps', 'value http.date'],
    ['_count=-1', 'value http._count'],
    ['_count=ten', 'value http._count'],
    ['_count=1&_count=2', 'value http._count'],
    ['_cursor=abc', 'value http._cursor'],
    ['_summary=all', 'value http._summary'],
    ['_total=maybe', 'value http._total'],
    ['_elements=a.b', 'value http._elements'],
    ['_elements=title&_summary=true', 'value http._elements'],
    ['_sort=author', 'not-accepted http._sort'],
    ['colour=red', 'not-accepted http.colour'],
    ['intent=plan', 'not-accepted http.intent'],
    ['status:above=final', 'not-accepted http.status'],
    ['_count:exact=1', 'not-accepted http._count'],
    ['_id:not=1', 'not-accepted http._id'],
    ['subject.name=x', 'not-accepted http.subject.name'],
    ['subject:Patient.name=x', 'not-accepted http.subject:Patient.name'],
    ['_include=Composition:subject', 'not-accepted http._include'],
    ['_revinclude:iterate=x', 'not-accepted http._revinclude:iterate'],
    ['_has:Observation:patient:code=1', 'not-accepted http._has:Observation:patient:code'],
    ['<b>=1', 'not-accepted http.query'],
    [`_id=${Array.from({ length: 251 }, () => 'x').join(',')}`, 'too-costly '],
  ])('reports for %s: %s', (query, expected) => {
    expect(catchError(() => parseCriteria(query))).toBe(expected);
  });
});

test('ignores only unknown parameters if lenient', () => {
  expect(parseCriteria('colour=red&subject=x&intent:not=plan', true).usedPairs).toEqual([['subject', 'x']]);
  for (const query of ['status:above=final', 'subject=', '_sort=author']) {
    expect(catchError(() => parseCriteria(query, true))).not.toBe('none');
  }
});

test('requires subject, patient or _id of a CarePlan search only on request', () => {
  const strict = (query: string) =>
    catchError(() => readCriteria('CarePlan', pairsOf(query), { requireSubject: true, now: 0 }));
  expect(['subject=x', 'patient=x', '_id=x'].map(strict)).toEqual(['none', 'none', 'none']);
  expect(['', 'encounter=x', 'status=active'].map(strict)).toEqual(Array(3).fill('required http.subject'));
  expect(readCriteria('CarePlan', pairsOf('identifier=x')).terms).toHaveLength(1);
});

test('limits a page to 1000 records, and returns only the total for 0', () => {
  expect(parseCriteria('_count=5000')).toMatchObject({ count: 1000, usedPairs: [['_count', '1000']] });
  expect(parseCriteria('_count=99999999999999999999')).toMatchObject({ count: 1000 });
  expect(parseCriteria('_count=0').totalOnly).toBe(true);
  expect(parseCriteria('_summary=count').totalOnly).toBe(true);
});

test.each(['_include', '_revinclude'])(
  'adds referenced or referencing records of the same type for %s',
  (full) => {
    const reverse = full === '_revinclude';
    const type = 'CarePlan';
    expect(readInclude(type, full, 'CarePlan:part-of', false)).toMatchObject({
      parameter: { name: 'part-of' },
      reverse,
    });
    for (const target of [
      'CarePlan:part-of:CarePlan',
      'CarePlan:part-of:Patient',
      'CarePlan:part-of:CarePlan:x',
    ])
      expect(readInclude(type, full, target, true) !== undefined).toBe(target.endsWith(':CarePlan'));
  },
);

test('ignores a repeated order', () => {
  expect(parseCriteria('_sort=-date,title,date').sort).toEqual([
    { column: 'date', descending: true },
    expect.objectContaining({ descending: false }),
  ]);
});

test('restricts patient:identifier to references to patients', () => {
  expect(parseCriteria('patient:identifier=x').terms).toMatchObject([
    {},
    { kind: 'missing', target: 'Patient', missing: false },
  ]);
  expect(parseCriteria('subject:identifier=x').terms).toHaveLength(1);
});

test.each([
  ['_pretty=maybe', 'value http._pretty must be true or false'],
  ['_count=1&_count=2', 'value http._count can be sent only once'],
  ['_since=', 'value http._since has no value'],
  ['status=final', 'not-accepted http.status'],
])('rejects %s in a history', (query, expectedText) => {
  let message = '';
  try {
    readHistoryCriteria(pairsOf(query));
  } catch (error) {
    if (!(error instanceof FhirError)) throw error;
    message = `${error.kind} ${error.problems[0]?.location} ${error.problems[0]?.text}`;
  }
  for (const part of expectedText.split(/(?<=http\.\w+) /)) expect(message).toContain(part);
});

test.each([
  ['subject.name=x', true],
  ['status.x=y', false],
  ['status:a.b=y', false],
])('reports %s as a search across records: %s', (query, isAcross) => {
  const chainedText = expect.stringContaining('chained parameters') as string;
  expect(() => parseCriteria(query)).toThrow(
    expect.objectContaining({
      message: isAcross ? chainedText : expect.not.stringContaining('chained parameters'),
    }),
  );
});

test('parses _since and limits _count of a history', () => {
  expect(readHistoryCriteria(pairsOf('_since=2026-03-01T12:00:00Z&_count=5000'))).toEqual({
    pretty: false,
    since: '2026-03-01T12:00:00.000Z',
    count: 1000,
    usedPairs: [
      ['_since', '2026-03-01T12:00:00Z'],
      ['_count', '1000'],
    ],
  });
});

test.each([
  ['_summary=data', { summary: 'data' }],
  ['_summary=text', { summary: 'text' }],
  ['_summary=true', { summary: 'true' }],
  ['_summary=false', undefined],
  ['_summary=count', undefined],
  ['', undefined],
  ['_elements=title,Composition.date', { elements: ['title', 'date'] }],
  ['_elements=title&_summary=false', { elements: ['title'] }],
  ['_elements=title&_summary=count', { elements: ['title'] }],
  [`_elements=${'a'.repeat(64)}`, { elements: ['a'.repeat(64)] }],
])('returns for %s the projection %j', (query, projection) => {
  expect(parseCriteria(query).projection).toEqual(projection);
});
