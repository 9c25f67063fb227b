import { expect, test } from 'vitest';
import { matchesSchema } from '../json/shape.ts';
import { activityLimits, isJobEntry, NewJob, type ActivityEntry } from './activity.ts';

const job = { kind: 'import', note: 'Imported 3 records.', counts: { 'Care plans': 3 } };

test.each<[change: object, fits: boolean]>([
  [{}, true],
  [{ connection: 'Ward' }, true],
  [{ counts: {} }, true],
  [{ note: 'x'.repeat(activityLimits.note) }, true],
  [{ note: 'x'.repeat(activityLimits.note + 1) }, false],
  [{ note: '' }, false],
  [{ note: 7 }, false],
  [{ kind: 'read' }, false],
  [{ connection: '' }, false],
  [{ connection: 'x'.repeat(activityLimits.text + 1) }, false],
  [{ counts: [] }, false],
  [{ counts: { plans: 1.5 } }, false],
  [{ counts: { plans: '1' } }, false],
  [{ counts: { '1': 1 } }, false],
  [{ counts: { ['a'.repeat(41)]: 1 } }, false],
  [
    { counts: Object.fromEntries(Array.from({ length: 20 }, (_, index) => ['a'.repeat(index + 1), index])) },
    true,
  ],
  [
    { counts: Object.fromEntries(Array.from({ length: 21 }, (_, index) => ['a'.repeat(index + 1), index])) },
    false,
  ],
])('accepts a job with %j: %s', (change, fits) => {
  expect(matchesSchema(NewJob, { ...job, ...change })).toBe(fits);
});

test('tells jobs from requests by kind', () => {
  expect(isJobEntry({ kind: 'import' } as ActivityEntry)).toBe(true);
  expect(isJobEntry({ kind: 'read' } as ActivityEntry)).toBe(false);
});
