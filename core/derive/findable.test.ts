import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import type { JsonObject } from '../json/node.ts';
import { findable } from './findable.ts';

const findCarePlan = (members: object) =>
  findable('CarePlan', scan(JSON.stringify({ resourceType: 'CarePlan', ...members })).root as JsonObject);

test.each<[what: string, members: object, kind: string, words: string]>([
  [
    'a display beside a code',
    { category: [{ coding: [{ code: '1', display: 'Ward' }] }] },
    'display',
    'ward',
  ],
  [
    'a display beside a system',
    { category: [{ coding: [{ system: 'http://x', display: 'Ward' }] }] },
    'display',
    'ward',
  ],
  ['a display of whom a reference is about', { author: { display: 'Robin' } }, 'name', 'robin'],
  ['an identifier', { identifier: [{ value: 'A-1' }] }, 'identifier', 'a 1'],
  ['a title', { title: 'Walking' }, 'title', 'walking'],
])('indexes %s by its kind', (_label, members, kind, words) => {
  expect(findCarePlan({ title: 'Plan', ...members }).texts).toContainEqual(
    expect.objectContaining({ kind, words }),
  );
});

test.each<[what: string, members: object, subject: object]>([
  ['its display', { subject: { reference: 'Patient/1', display: 'Ada' } }, { id: '1', name: 'Ada' }],
  ['its id alone', { subject: { reference: 'Patient/1' } }, { id: '1', name: '' }],
  [
    'the name of who is contained',
    {
      subject: { reference: '#p' },
      contained: [{ id: 'p', name: [{}, { given: ['Ada', 'B'], family: 'Low' }] }],
    },
    { id: '', name: 'Ada B Low' },
  ],
  ['nobody', {}, { id: '', name: '' }],
])('reads the subject from %s', (_label, members, subject) => {
  expect(findCarePlan(members).subject).toEqual(subject);
});

test('also indexes a text of the title by its own kind', () => {
  const { texts } = findCarePlan({
    title: 'A1',
    identifier: [{ value: 'A1' }],
    category: [{ coding: [{ code: 'A1' }], text: 'A1' }],
  });
  expect(texts.map(({ kind }) => kind)).toEqual(['title', 'identifier', 'code']);
});

test("indexes a person's name as one text", () => {
  const contained = [{ name: [{ given: ['Ada', 'B'], family: 'Low' }] }];
  expect(findCarePlan({ title: 'Plan', contained }).texts).toContainEqual({
    kind: 'name',
    words: 'ada b low',
  });
});

test('indexes only the words of a text over 200 characters', () => {
  const long = (length: number) => `${'a'.repeat(length - 2)} b`;
  const longestText = (title: string) =>
    findCarePlan({ title: 'Plan', activity: [{ detail: { description: title } }] });
  expect(longestText(long(200)).texts).toHaveLength(2);
  expect(longestText(long(201)).texts).toHaveLength(1);
  expect(longestText(long(201)).words).toContain('b');
});

test('indexes the first 1000 texts and 20,000 words of a large record', () => {
  const note = Array.from({ length: 1001 }, (_, index) => ({ text: `n${index}` }));
  expect(findCarePlan({ note }).texts).toHaveLength(1000);
  const words = Array.from({ length: 20_001 }, (_, index) => `w${index}`).join(' ');
  expect(findCarePlan({ text: { div: `<div>${words}</div>` } }).words).toHaveLength(20_000);
});

test('indexes a code as a whole and not among the words', () => {
  const { texts, words } = findCarePlan({ title: 'Plan', category: [{ coding: [{ code: 'abc-1' }] }] });
  expect(texts).toContainEqual({ kind: 'code', words: 'abc 1' });
  expect(words).toEqual(['plan']);
});

test('indexes nothing for a text without words', () => {
  expect(findCarePlan({ title: '—', note: [{ text: ' ' }] }).texts).toEqual([]);
});

test('indexes the words of a narrative without markup', () => {
  const div = '<div class="odd">M&uuml;ller &amp; Stra&szlig;e &#xe9; &#65; &#x110000; x<b>y</b></div>';
  expect(findCarePlan({ title: 'Müller', text: { div } }).words).toEqual([
    'muller',
    'strasse',
    'e',
    'a',
    'x',
    'y',
  ]);
});

test('indexes words of a CDATA section and ignores comments', () => {
  const div = '<div>Potassium <![CDATA[3.1 < 3.5]]><!-- <b>hidden</b> words --> low</div>';
  expect(findCarePlan({ title: 'Potassium', text: { div } }).words).toEqual([
    'potassium',
    '3',
    '1',
    '5',
    'low',
  ]);
});
