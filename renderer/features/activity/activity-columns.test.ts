import { expect, test } from 'vitest';
import type { ActivityEntry, JobEntry, RequestEntry } from '../../../core/app/activity.ts';
import { activityColumns } from './activity-columns.tsx';

const request: RequestEntry = {
  seq: 1,
  time: '2026-01-01T00:00:00.000Z',
  connection: 'Local',
  kind: 'search',
  method: 'GET',
  path: '/fhir-r4/v1/CarePlan?title=a%20b',
  status: 200,
  ms: 7,
  requestId: 'r',
  requestBytes: 0,
  answerBytes: 2048,
};
const job: JobEntry = {
  seq: 2,
  time: '2026-01-01T00:00:00.000Z',
  connection: 'Local',
  kind: 'import',
  note: 'Imported ward.ndjson.',
  counts: { stored: 1200 },
};

function column(id: string) {
  const match = activityColumns([]).find((candidate) => candidate.id === id);
  if (!match) throw new Error(`No column ${id}.`);
  return match;
}
const cellOf = (id: string, entry: ActivityEntry) => column(id).cell(entry, 0);

test.each([
  ['a search is about no version', undefined, ''],
  ['a record was made', { after: 1 }, 'v1'],
  ['a record was changed', { before: 1, after: 2 }, 'v1 → v2'],
  ['the server told no version', {}, ''],
])('formats the versions of a request: %s', (_, versions, expected) => {
  const record = versions && { type: 'CarePlan', id: 'a', ...versions };
  expect(cellOf('version', { ...request, ...(record && { record }) })).toBe(expected);
});

test('shows a decoded path with the sent path as its hint', () => {
  expect(cellOf('path', request)).toBe('CarePlan?title=a b');
  expect(column('path').hint?.(request)).toBe('/fhir-r4/v1/CarePlan?title=a%20b');
  expect(column('size').hint?.(request)).toBe('2,048 B');
});

test('shows the note of a job and no request columns', () => {
  for (const id of ['method', 'status', 'version', 'ms', 'size']) expect(cellOf(id, job)).toBeNull();
  expect(column('path').hint?.(job)).toBe('Imported ward.ndjson.');
  expect(column('size').hint?.(job)).toBe('');
});
