import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import type { JsonObject } from '../json/node.ts';
import { findable } from './findable.ts';

const found = (members: object) =>
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
])('%s is found as what it is', (_what, members, kind, words) => {
  expect(found({ title: 'Plan', ...members }).texts).toContainEqual(expect.objectContaining({ kind, words }));
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
])('the subject is told by %s', (_what, members, subject) => {
  expect(found(members).subject).toEqual(subject);
});

test('what is the title too is found by its kind beside', () => {
  const { texts } = found({
    title: 'A1',
    identifier: [{ value: 'A1' }],
    category: [{ coding: [{ code: 'A1' }], text: 'A1' }],
  });
  expect(texts.map(({ kind }) => kind)).toEqual(['title', 'identifier', 'code']);
});

test('a person has one name, whose parts stand together', () => {
  const contained = [{ name: [{ given: ['Ada', 'B'], family: 'Low' }] }];
  expect(found({ title: 'Plan', contained }).texts).toContainEqual({ kind: 'name', words: 'ada b low' });
});

test('a text of more than 200 characters is no name, and its words count', () => {
  const long = (length: number) => `${'a'.repeat(length - 2)} b`;
  const kept = (title: string) => found({ title: 'Plan', activity: [{ detail: { description: title } }] });
  expect(kept(long(200)).texts).toHaveLength(2);
  expect(kept(long(201)).texts).toHaveLength(1);
  expect(kept(long(201)).words).toContain('b');
});

test('of a large record the first 1000 texts and 20,000 words are found', () => {
  const note = Array.from({ length: 1001 }, (_, at) => ({ text: `n${at}` }));
  expect(found({ note }).texts).toHaveLength(1000);
  const words = Array.from({ length: 20_001 }, (_, at) => `w${at}`).join(' ');
  expect(found({ text: { div: `<div>${words}</div>` } }).words).toHaveLength(20_000);
});

test('a code is found as what it is, and is no word of the record', () => {
  const { texts, words } = found({ title: 'Plan', category: [{ coding: [{ code: 'abc-1' }] }] });
  expect(texts).toContainEqual({ kind: 'code', words: 'abc 1' });
  expect(words).toEqual(['plan']);
});

test('a text without a word is nothing to find', () => {
  expect(found({ title: '—', note: [{ text: ' ' }] }).texts).toEqual([]);
});

test('the words of a narrative are found without its marks', () => {
  const div = '<div class="odd">M&uuml;ller &amp; Stra&szlig;e &#xe9; &#65; &#x110000; x<b>y</b></div>';
  expect(found({ title: 'Müller', text: { div } }).words).toEqual(['muller', 'strasse', 'e', 'a', 'x', 'y']);
});

test('finds the words of a CDATA section and none of a comment', () => {
  const div = '<div>Potassium <![CDATA[3.1 < 3.5]]><!-- <b>hidden</b> words --> low</div>';
  expect(found({ title: 'Potassium', text: { div } }).words).toEqual(['potassium', '3', '1', '5', 'low']);
});
