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
