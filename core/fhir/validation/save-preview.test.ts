import { expect, test } from 'vitest';
import { otherIdIssue, previewSave } from './save-preview.ts';

const issue = (severity: string, diagnostics: string, ...expression: string[]) => ({
  severity,
  code: 'invalid',
  diagnostics,
  expression,
});
const rejected = issue('error', 'schema-code: one of a, b', 'CarePlan.intent');
const old = issue('error', 'schema-code: one of a, b', 'CarePlan.status');
const fatal = { severity: 'fatal', code: 'exception' };
const warning = issue('warning', 'narrative-stale', 'CarePlan.text');
const note = issue('information', 'http://example.org/profile');

test('sorts issues into rejected errors, tolerated errors and warnings', () => {
  expect(previewSave([rejected, old, fatal, warning, note], [rejected])).toEqual({
    rejected: [rejected],
    tolerated: [old, fatal],
    warnings: [warning],
  });
});

test('keeps a rejected error that is missing in a truncated outcome', () => {
  expect(previewSave([old], [rejected])).toEqual({ rejected: [rejected], tolerated: [old], warnings: [] });
});

test('reports the id of another record at its element, and nothing for an equal or absent id', () => {
  expect(otherIdIssue('CarePlan', 'a', '{"id":"b"}')).toMatchObject({ expression: ['CarePlan.id'] });
  expect(otherIdIssue('CarePlan', 'a', '{"id":1}')).toBeDefined();
  expect(otherIdIssue('CarePlan', 'a', '{"id":"a"}')).toBeUndefined();
  expect(otherIdIssue('CarePlan', 'a', '{}')).toBeUndefined();
});
