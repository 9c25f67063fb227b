import { expect, test } from 'vitest';
import { draftOf, idOf, newDraft, sameDraft, serializeCheck } from './check-draft.ts';

test('converts a check to a draft and back, without empty members', () => {
  const definition = {
    ...({ title: 'A plan has a title', type: 'CarePlan', holds: 'title.exists()' } as const),
    ...({ category: 'completeness', severity: 'warning', active: true } as const),
    failAbove: { percent: 2 },
    version: 3,
  };
  const draft = draftOf({ ...definition, id: 'titled', by: 'Robin', at: '2026-11-22T12:00:00Z' });
  expect(serializeCheck(draft)).toEqual(definition);
  expect(sameDraft(draft, { ...draft, active: false })).toBe(true);
  expect(sameDraft(draft, { ...draft, note: 'x' })).toBe(false);
  expect(serializeCheck({ ...newDraft, points: '  ' })).not.toHaveProperty('points');
});

test('derives an ID from the title', () => {
  expect(idOf('Überprüfung: 2 Ziele!')).toBe('uberprufung-2-ziele');
  expect(idOf('2 goals')).toBe('goals');
});
