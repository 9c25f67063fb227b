import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { containedOf, named, nameOf } from './contained.ts';
import { periodAt } from './span.ts';

const place = (value: unknown) => ({ node: scan(JSON.stringify(value)).root, pointer: '' });

test.each<[resource: object, name: string]>([
  [{ code: { text: 'C' }, title: 'T' }, 'C'],
  [{ code: {}, description: { text: 'D' } }, 'D'],
  [{ type: { coding: [{ display: 'K' }] } }, 'K'],
  [{ medicationCodeableConcept: { text: 'M' } }, 'M'],
  [{ title: 'T', name: 'N' }, 'T'],
  [{ name: 'N', description: 'D' }, 'N'],
  [{ name: [{ text: 'Dr N', family: 'N' }] }, 'Dr N'],
  [{ name: [{ given: ['A', 'B'], family: 'N' }] }, 'A B N'],
  [{ name: { family: 'N' } }, 'N'],
  [{ description: 'D' }, 'D'],
  [{}, ''],
])('what is contained as %j is called %j', (resource, name) => {
  expect(nameOf(place(resource))).toBe(name);
});

test('a reference without a display has the name of what it leads to within the record', () => {
  const contained = containedOf(place({ contained: [{ id: 'a', code: { text: 'C' } }] }));
  const of = (reference: string, display = '') =>
    named({ reference, display, pointer: '/x' }, contained).display;
  expect([of('#a'), of('#a', 'D'), of('#b'), of('a')]).toEqual(['C', 'D', '', '']);
});

test.each<[period: object, expected: object | undefined]>([
  [{}, undefined],
  [{ start: '2025-03-01' }, { start: '2025-03-01', end: '' }],
  [
    { start: '2025-03-01', end: '2025-03-01' },
    { start: '2025-03-01', end: '2025-03-01', days: 1, over: 9 },
  ],
  [
    { start: '2025-03-01', end: '2025-03-10' },
    { start: '2025-03-01', end: '2025-03-10', days: 10 },
  ],
  [
    { start: '2025-03-10', end: '2025-03-09' },
    { start: '2025-03-10', end: '2025-03-09', over: 1 },
  ],
  [
    { start: '2025-02', end: '2025-03-20' },
    { start: '2025-02', end: '2025-03-20' },
  ],
  [{ end: '2025-02' }, { start: '', end: '2025-02', over: 10 }],
  [{ end: 'soon' }, { start: '', end: 'soon' }],
])('a period of %j is told as of the 10th of March', (period, expected) => {
  expect(periodAt(place(period), '2025-03-10')).toEqual(expected);
});
