import { expect, test } from 'vitest';
import { draftOf, idOf, newDraft, sameDraft, writtenOf } from './check-draft.ts';

test('a draft is what was kept, and is sent as it was; what is empty is left out', () => {
  const sent = {
    ...({ title: 'A plan has a title', type: 'CarePlan', holds: 'title.exists()' } as const),
    ...({ category: 'completeness', severity: 'warning', active: true } as const),
    ...{ failAbove: { percent: 2 }, version: 3 },
  };
  const draft = draftOf({ ...sent, id: 'titled', by: 'Robin', at: '2026-11-22T12:00:00Z' });
  expect(writtenOf(draft)).toEqual(sent);
  expect(sameDraft(draft, { ...draft, active: false })).toBe(true);
  expect(sameDraft(draft, { ...draft, note: 'x' })).toBe(false);
  expect(writtenOf({ ...newDraft, points: '  ' })).not.toHaveProperty('points');
});

test('an id is made of the title', () => {
  expect(idOf('Überprüfung: 2 Ziele!')).toBe('uberprufung-2-ziele');
  expect(idOf('2 goals')).toBe('goals');
});
