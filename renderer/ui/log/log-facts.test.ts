import { expect, test } from 'vitest';
import { readablePath, statusWords, toneOf, versionChange } from './log-facts.ts';

test('a status is a word and a tone', () => {
  expect([200, 412, 500, 0, 418].map((status) => [statusWords(status), toneOf(status)])).toEqual([
    ['200 OK', 'good'],
    ['412 Stale version', 'warning'],
    ['500 Server fault', 'danger'],
    ['Stopped', 'neutral'],
    ['418', 'warning'],
  ]);
});

test('a version is shown with the one before it, where there are two', () => {
  expect(versionChange(2, 3)).toBe('v2 → v3');
  expect(versionChange(undefined, 1)).toBe('v1');
  expect(versionChange(undefined, undefined)).toBe('');
});

test('a path is read decoded where it can be, without what all begin with', () => {
  expect(readablePath('/fhir-r4/v1/CarePlan?subject=Patient%2F1')).toBe('CarePlan?subject=Patient/1');
  expect(readablePath('/app/tokens/%')).toBe('/app/tokens/%');
});
