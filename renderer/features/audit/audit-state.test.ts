import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../core/app/audit.ts';
import { auditReducer, filterOf, initialAudit, outcomeOf, recordOf } from './audit-state.ts';

const entry = (others: Partial<AuditEntry>): AuditEntry => ({
  seq: 1,
  time: '2026-01-01T00:00:00.000Z',
  who: 'ward',
  action: 'read',
  what: 'CarePlan/a',
  status: 200,
  requestId: 'r',
  ...others,
});

test('a form asks for what it holds, and its period counts from when it was chosen', () => {
  const now = Date.parse('2026-01-01T12:00:00.000Z');
  const chosen = auditReducer(initialAudit, { type: 'changed', form: { period: '60' }, now });
  const typed = auditReducer(chosen, { type: 'changed', form: { text: ' ward ' }, now: now + 1000 });
  const state = auditReducer(typed, {
    type: 'changed',
    form: { action: 'patch', outcome: 'refused' },
    now: 0,
  });
  expect(filterOf(state)).toEqual({
    text: 'ward',
    action: 'patch',
    outcome: 'refused',
    since: '2026-01-01T11:00:00.000Z',
  });
  expect(filterOf(auditReducer(state, { type: 'reset' }))).toEqual({});
});

test('another filter closes the details, and hiding them leaves the filter', () => {
  const shown = auditReducer(initialAudit, { type: 'show', entry: entry({}) });
  expect(auditReducer(shown, { type: 'changed', form: { text: 'x' }, now: 0 }).shown).toBeUndefined();
  expect(auditReducer(shown, { type: 'hide' })).toEqual(initialAudit);
});

test.each([
  ['CarePlan/a.1', { type: 'CarePlan', id: 'a.1' }],
  ['/fhir-r4/v1/Composition/b-2', { type: 'Composition', id: 'b-2' }],
  ['/fhir-r4/v1/CarePlan/a/_history/3', { type: 'CarePlan', id: 'a' }],
  ['/fhir-r4/v1/CarePlan?based-on=CarePlan/a', undefined],
  ['Patient/a', undefined],
  ['CarePlan', undefined],
  ['records-2026.db', undefined],
])('%s leads to %o', (what, record) => {
  expect(recordOf(entry({ what }))).toEqual(record);
});

test('an outcome is its status in words; the command line has none', () => {
  expect(outcomeOf(entry({ status: 412 }))).toEqual({ tone: 'warning', label: '412 Stale version' });
  expect(outcomeOf(entry({ status: 0 }))).toEqual({ tone: 'good', label: 'By command line' });
});
