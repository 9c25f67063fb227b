import { expect, test } from 'vitest';
import type { RequestEntry } from '../../../core/app/activity.ts';
import { countName, curlOfEntry, recordOf, replayOf } from './entry-facts.ts';

const entry = (overrides: Partial<RequestEntry>): RequestEntry => ({
  seq: 1,
  time: '2026-01-01T00:00:00.000Z',
  connection: 'Local',
  kind: 'search',
  method: 'GET',
  path: '/fhir-r4/v1/CarePlan?subject=1',
  status: 200,
  ms: 1,
  requestBytes: 0,
  answerBytes: 0,
  requestId: 'r',
  ...overrides,
});

test('replays a search with its parameters, without paging parameters', () => {
  const path = '/fhir-r4/v1/Composition?subject=Patient%2F1&title:contains=a+b&_count=500&_cursor=x';
  expect(replayOf(entry({ path }))).toEqual({
    kind: 'search',
    type: 'Composition',
    pairs: [
      ['subject', 'Patient/1'],
      ['title:contains', 'a b'],
    ],
  });
});

test.each([
  ['write', { kind: 'write', method: 'PUT', path: '/fhir-r4/v1/CarePlan/1' }],
  ['write', { kind: 'app', method: 'DELETE', path: '/app/tokens/1' }],
  ['redacted', { path: '/fhir-r4/v1/CarePlan?subject=[redacted]' }],
  ['other', { method: 'POST', path: '/fhir-r4/v1/CarePlan/_search' }],
  ['other', { kind: 'read', path: '/fhir-r4/v1/CarePlan/1' }],
  ['other', { path: '/fhir-r4/v1/Patient?name=x' }],
] as const)('does not replay: %s', (reason, overrides) => {
  expect(replayOf(entry(overrides))).toEqual({ kind: 'none', reason });
});

test('returns the record of an entry with a supported type and an ID', () => {
  expect(recordOf(entry({ record: { type: 'CarePlan', id: '1', after: 2 } }))).toEqual({
    type: 'CarePlan',
    id: '1',
  });
  expect(recordOf(entry({ record: { type: 'Patient', id: '1' } }))).toBeUndefined();
  expect(recordOf(entry({ record: { type: 'CarePlan', id: '[redacted]' } }))).toBeUndefined();
});

test('includes the precondition but no token in the command of a write', () => {
  const command = curlOfEntry(
    entry({ kind: 'write', method: 'PUT', path: '/p', record: { type: 'CarePlan', id: '1', before: 3 } }),
    'http://localhost:1',
  );
  expect(command).toContain(`'If-Match: W/"3"'`);
  expect(command).toContain('$TOKEN');
  expect(command).toContain('http://localhost:1/p');
});

test('returns the name of a known count, else its code', () => {
  expect(countName('kept')).toBe('Related resources');
  expect(countName('constructor')).toBe('constructor');
  expect(countName('later')).toBe('later');
});
