import { expect, test } from 'vitest';
import { readablePath, formatStatus, toneOf, versionChange } from './log-facts.ts';

test('formats a status with its tone', () => {
  expect([200, 412, 500, 0, 418].map((status) => [formatStatus(status), toneOf(status)])).toEqual([
    ['200 OK', 'good'],
    ['412 Version conflict', 'warning'],
    ['500 Server error', 'danger'],
    ['Canceled', 'neutral'],
    ['418', 'warning'],
  ]);
});

test('shows a version change only if there are two versions', () => {
  expect(versionChange(2, 3)).toBe('v2 → v3');
  expect(versionChange(undefined, 1)).toBe('v1');
  expect(versionChange(undefined, undefined)).toBe('');
});

test('decodes a path without the common prefix', () => {
  expect(readablePath('/fhir-r4/v1/CarePlan?subject=Patient%2F1')).toBe('CarePlan?subject=Patient/1');
  expect(readablePath('/app/tokens/%')).toBe('/app/tokens/%');
});
