import { expect, test } from 'vitest';
import { scan } from '../../../core/json/scan.ts';
import { addressOf, compareText, compareTime, toRow } from './result-rows.ts';

test('text sorts as a person would', () => {
  expect(['Plan 10', 'plan 2', 'Plan 1'].sort(compareText)).toEqual(['Plan 1', 'plan 2', 'Plan 10']);
});

test('times sort by their moment across zones and precisions', () => {
  const times = ['2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z', '2023'];
  expect(times.sort(compareTime)).toEqual(['2023', '2024-01-02T00:30:00+02:00', '2024-01-01T23:00:00Z']);
});

test('a row shows the subject by name, else by reference without its type', () => {
  const record = (subject: string) =>
    toRow(scan(`{"resourceType":"CarePlan","id":"a","subject":${subject}}`).root);
  expect(record('{"reference":"Patient/17"}').subjectShown).toBe('17');
  expect(record('{"reference":"Patient/17","display":"Ada Example"}').subjectShown).toBe('Ada Example');
});

test('a match that is no record of ours cannot be opened', () => {
  expect(addressOf(toRow(scan('{"resourceType":"Patient","id":"a"}').root))).toBeUndefined();
  expect(addressOf(toRow(scan('{"resourceType":"Composition","id":"a","title":"T"}').root))).toEqual({
    type: 'Composition',
    id: 'a',
    title: 'T',
  });
});
