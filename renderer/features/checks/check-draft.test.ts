import { expect, test } from 'vitest';
import { toDraft, createCheckId, newDraft, hasSameDefinition, serializeCheck } from './check-draft.ts';

test('converts a check to a draft and back, without empty members', () => {
  const definition = {
    ...({ title: 'A plan has a title', type: 'CarePlan', holds: 'title.exists()' } as const),
    ...({ category: 'completeness', severity: 'warning', active: true } as const),
    failAbove: { percent: 2 },
    version: 3,
  };
  const draft = toDraft({ ...definition, id: 'titled', by: 'Robin', at: '2026-11-22T12:00:00Z' });
  expect(serializeCheck(draft)).toEqual(definition);
  expect(serializeCheck({ ...newDraft, points: '  ' })).not.toHaveProperty('points');
});

test('compares drafts without their activation', () => {
  expect(hasSameDefinition(newDraft, { ...newDraft, active: true })).toBe(true);
  expect(hasSameDefinition(newDraft, { ...newDraft, note: 'x' })).toBe(false);
});

test('derives an ID from the title', () => {
  expect(createCheckId('Überprüfung: 2 Ziele!')).toBe('uberprufung-2-ziele');
  expect(createCheckId('2 goals')).toBe('goals');
});
