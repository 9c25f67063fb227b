import { describe, expect, it } from 'vitest';
import { matchesSchema } from '../json/shape.ts';
import { ConnectionName, readRecordLink } from './record-link.ts';

describe('a link', () => {
  it.each([
    ['chartkeeper://open/Local/CarePlan/abc', { connection: 'Local', type: 'CarePlan', id: 'abc' }],
    [
      'chartkeeper://open/Local/Composition/a-1.b/',
      { connection: 'Local', type: 'Composition', id: 'a-1.b' },
    ],
    ['chartkeeper://open/Local/abc', { connection: 'Local', id: 'abc' }],
    ['chartkeeper://open/Ward%203%20%26%204/abc', { connection: 'Ward 3 & 4', id: 'abc' }],
  ])('reads connection and record of %s', (text, link) => {
    expect(readRecordLink(text)).toEqual(link);
  });

  it.each([
    '',
    'chartkeeper:',
    'chartkeeper://open',
    'chartkeeper://open/Local',
    'chartkeeper://open//abc',
    'chartkeeper://open/%20/abc',
    'chartkeeper://open/Local/Patient/abc',
    'chartkeeper://open/Local/CarePlan/abc/_history',
    'chartkeeper://open/Local/CarePlan/a%2Fb',
    'chartkeeper://open/Local/CarePlan/a_b',
    `chartkeeper://open/Local/${'a'.repeat(65)}`,
    'chartkeeper://open/Local/abc?base=https://evil.example',
    'chartkeeper://open/Local/abc#https://evil.example',
    'chartkeeper://connect/Local/abc',
    'chartkeeper://user:secret@open/Local/abc',
    'chartkeeper://open:80/Local/abc',
    'chartkeeper://open/a%0Ab/abc',
    'chartkeeper://open/%E0%A4/abc',
    `chartkeeper://open/${'n'.repeat(61)}/abc`,
    'https://open/Local/abc',
    ' chartkeeper://open/Local/abc',
    'chartkeeper://open/Local/abc\n',
  ])('opens nothing for %j', (text) => {
    expect(readRecordLink(text)).toBeUndefined();
  });

  it('treats an address as a connection name that cannot exist', () => {
    expect(readRecordLink('chartkeeper://open/https%3A%2F%2Fevil.example%2Ffhir/abc')).toEqual({
      connection: 'https://evil.example/fhir',
      id: 'abc',
    });
  });
});

it.each([undefined, null, 1, '', ' ', 'a\tb', 'a\u202eb', 'x'.repeat(61), ['a']])(
  'rejects %j as a connection name',
  (value) => {
    expect(matchesSchema(ConnectionName, value)).toBe(false);
  },
);
