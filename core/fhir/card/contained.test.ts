import { expect, test } from 'vitest';
import { scan } from '../../json/scan.ts';
import { containedOf, referenceAt } from './contained.ts';
import { periodAt } from './span.ts';

const toElement = (value: unknown) => ({ node: scan(JSON.stringify(value)).root, pointer: '' });

test('names a reference by its display, otherwise by its contained target', () => {
  const contained = containedOf(toElement({ contained: [{ id: 'a', code: { text: 'C' } }] }));
  const getDisplay = (reference: string, display = '') =>
    referenceAt(toElement({ reference, display }), contained)?.display;
  expect([getDisplay('#a'), getDisplay('#a', 'D'), getDisplay('#b'), getDisplay('a')]).toEqual([
    'C',
    'D',
    '',
    '',
  ]);
});

test('adds the modifiers of the target to a reference with any display', () => {
  const verificationStatus = { coding: [{ code: 'refuted' }] };
  const condition = { resourceType: 'Condition', id: 'a', verificationStatus, code: { text: 'C' } };
  const contained = containedOf(toElement({ contained: [condition] }));
  const getReference = (display: string) => referenceAt(toElement({ reference: '#a', display }), contained);
  expect(getReference('')).toMatchObject({ display: 'Refuted: C', negation: 'Refuted' });
  expect(getReference('Asthma')).toMatchObject({ display: 'Refuted: Asthma', negation: 'Refuted' });
});

test.each<[period: object, expected: object | undefined]>([
  [{}, undefined],
  [{ start: '2025-03-01' }, { start: '2025-03-01', end: '' }],
  [
    { start: '2025-03-01', end: '2025-03-01' },
    { start: '2025-03-01', end: '2025-03-01', days: 1, overdueDays: 9 },
  ],
  [
    { start: '2025-03-01', end: '2025-03-10' },
    { start: '2025-03-01', end: '2025-03-10', days: 10 },
  ],
  [
    { start: '2025-03-10', end: '2025-03-09' },
    { start: '2025-03-10', end: '2025-03-09', overdueDays: 1 },
  ],
  [
    { start: '2025-02', end: '2025-03-20' },
    { start: '2025-02', end: '2025-03-20' },
  ],
  [{ end: '2025-02' }, { start: '', end: '2025-02', overdueDays: 10 }],
  [{ end: 'soon' }, { start: '', end: 'soon' }],
])('reads the period %j as of March 10', (period, expected) => {
  expect(periodAt(toElement(period), '2025-03-10')).toEqual(expected);
});
