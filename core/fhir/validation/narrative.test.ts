import { expect, test } from 'vitest';
import { readRecord } from '../record.ts';
import { narrativeStale, staleIssues } from './rules.ts';
import { carePlan, type Draft } from './testing/base-records.ts';

function plan(change: Draft = {}) {
  return readRecord(JSON.stringify({ ...carePlan(), ...change }), 'CarePlan');
}

const text = (status: string, div: string) => ({ text: { status, div } });

test.each([
  ['nothing changed', plan(), plan(), false],
  ['content changed under a generated narrative', plan(), plan({ title: 'Other' }), true],
  ['an element was removed', plan(), plan({ title: undefined }), true],
  ['language and meta changed', plan(), plan({ language: 'fr', meta: { versionId: '2' } }), false],
  [
    'the narrative changed too',
    plan(),
    plan({ title: 'Other', ...text('generated', '<div>n</div>') }),
    false,
  ],
  [
    'the narrative is not generated',
    plan(text('additional', 'x')),
    plan({ title: 'O', ...text('additional', 'x') }),
    false,
  ],
  ['the narrative was removed', plan(), plan({ text: undefined, title: 'Other' }), false],
])('%s', (_name, before, after, stale) => {
  expect(narrativeStale(before, after)).toBe(stale);
});

test('warns if a save leaves a generated narrative unchanged, and of no other text', () => {
  const texts = [carePlan(), { ...carePlan(), title: 'Other' }].map((record) => JSON.stringify(record));
  const [before = '', after = ''] = texts;
  expect(staleIssues('CarePlan', before, after)).toMatchObject([
    { severity: 'warning', diagnostics: 'narrative-stale', expression: ['CarePlan.text'] },
  ]);
  expect(staleIssues('CarePlan', before, before)).toEqual([]);
  expect(staleIssues('CarePlan', before, '{')).toEqual([]);
  expect(staleIssues('CarePlan', '7', after)).toEqual([]);
});
