import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../core/app/audit.ts';
import { filterOf, noFilter, outcomeOf, recordOf } from './audit-state.ts';

const entry = (overrides: Partial<AuditEntry>): AuditEntry => ({
  seq: 1,
  time: '2026-01-01T00:00:00.000Z',
  who: 'ward',
  action: 'read',
  what: 'CarePlan/a',
  status: 200,
  requestId: 'r',
  ...overrides,
});

test('filters by each valid field and ignores invalid values', () => {
  const now = Date.parse('2026-01-01T12:00:00.000Z');
  const form = { text: ' ward ', action: 'patch', outcome: 'refused', changes: 'true', period: '60' };
  expect(filterOf({ form, selectedAt: now })).toEqual({
    text: 'ward',
    action: 'patch',
    changes: true,
    outcome: 'refused',
    since: '2026-01-01T11:00:00.000Z',
  });
  const wrong = { text: ' ', action: 'Patch', outcome: 'x', changes: 'yes', period: '-1' };
  expect(filterOf({ form: wrong, selectedAt: now })).toEqual({});
  expect(filterOf({ form: noFilter, selectedAt: now })).toEqual({});
});

test.each([
  ['CarePlan/a.1', { type: 'CarePlan', id: 'a.1' }],
  ['/fhir-r4/v1/Composition/b-2', { type: 'Composition', id: 'b-2' }],
  ['/fhir-r4/v1/CarePlan/a/_history/3', { type: 'CarePlan', id: 'a' }],
  ['/fhir-r4/v1/CarePlan?based-on=CarePlan/a', undefined],
  ['Patient/a', undefined],
  ['CarePlan', undefined],
  ['records-2026.db', undefined],
])('maps %s to the record %o', (target, record) => {
  expect(recordOf(entry({ what: target }))).toEqual(record);
});

test('formats the outcome by status, and by origin for the command line', () => {
  expect(outcomeOf(entry({ status: 412 }))).toEqual({ tone: 'warning', label: '412 Version conflict' });
  expect(outcomeOf(entry({ status: 0 }))).toEqual({ tone: 'good', label: 'Command line' });
});
