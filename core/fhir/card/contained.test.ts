import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { containedOf, referenceAt } from './contained.ts';
import { periodAt } from './span.ts';

const place = (value: unknown) => ({ node: scan(JSON.stringify(value)).root, pointer: '' });

test('names a reference by its display, else by what it leads to within the record', () => {
  const contained = containedOf(place({ contained: [{ id: 'a', code: { text: 'C' } }] }));
  const of = (reference: string, display = '') =>
    referenceAt(place({ reference, display }), contained)?.display;
  expect([of('#a'), of('#a', 'D'), of('#b'), of('a')]).toEqual(['C', 'D', '', '']);
});

test('says what changes the meaning of what a reference leads to, whatever its display says', () => {
  const verificationStatus = { coding: [{ code: 'refuted' }] };
  const condition = { resourceType: 'Condition', id: 'a', verificationStatus, code: { text: 'C' } };
  const contained = containedOf(place({ contained: [condition] }));
  const of = (display: string) => referenceAt(place({ reference: '#a', display }), contained);
  expect(of('')).toMatchObject({ display: 'Refuted: C', before: 'Refuted' });
  expect(of('Asthma')).toMatchObject({ display: 'Refuted: Asthma', before: 'Refuted' });
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
