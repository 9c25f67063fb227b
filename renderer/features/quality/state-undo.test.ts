import { expect, test } from 'vitest';
import type { FindingState } from '../../../core/app/findings.ts';
import type { QualityFinding } from '../../../core/app/quality.ts';
import { undoChanges } from './state-undo.ts';

function finding(id: string, state?: Omit<FindingState, 'by' | 'at'>): QualityFinding {
  return {
    type: 'CarePlan',
    id,
    rule: 'plan-overdue',
    pointer: '/period/end',
    version: 1,
    severity: 'warning',
    category: 'plausibility',
    title: '',
    status: 'active',
    subject: '',
    excerpt: '',
    message: '',
    lastUpdated: '',
    ...(state && { state: { ...state, by: 'owner', at: '2026-11-28T00:00:00Z' } }),
  };
}

const key = (id: string) => ({ type: 'CarePlan', id, rule: 'plan-overdue', pointer: '/period/end' });

test('reopens findings without a state in one request', () => {
  expect(undoChanges('waived', [finding('a'), finding('b')])).toEqual([
    { set: 'open', findings: [key('a'), key('b')] },
  ]);
});

test('restores the assignee, then the waiver with its last day', () => {
  const state = { state: 'waived', assignee: 'Kim', reason: 'Agreed', until: '2027-01-01' } as const;
  expect(undoChanges('open', [finding('a', state), finding('b')])).toEqual([
    { set: 'assigned', assignee: 'Kim', findings: [key('a')] },
    { set: 'waived', reason: 'Agreed', until: '2027-01-01', findings: [key('a')] },
    { set: 'open', findings: [key('b')] },
  ]);
});

test('restores or removes only the note', () => {
  const notedFinding = finding('a', { state: 'assigned', assignee: 'Kim', note: 'Asked the ward.' });
  expect(undoChanges('note', [notedFinding, finding('b')])).toEqual([
    { set: 'note', note: 'Asked the ward.', findings: [key('a')] },
    { set: 'note', findings: [key('b')] },
  ]);
});
