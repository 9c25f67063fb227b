import { expect, test } from 'vitest';
import { otherIdIssue, verdictOf } from './verdict.ts';

const issue = (severity: string, diagnostics: string, ...expression: string[]) => ({
  ...{ severity, code: 'invalid', diagnostics, expression },
});
const refused = issue('error', 'schema-code: one of a, b', 'CarePlan.intent');
const old = issue('error', 'schema-code: one of a, b', 'CarePlan.status');
const fatal = { severity: 'fatal', code: 'exception' };
const warning = issue('warning', 'narrative-stale', 'CarePlan.text');
const note = issue('information', 'http://example.org/profile');

test('sorts issues into refused and tolerated errors and warnings', () => {
  expect(verdictOf([refused, old, fatal, warning, note], [refused])).toEqual({
    ...{ refused: [refused], tolerated: [old, fatal], warnings: [warning] },
  });
});

test('keeps a refused error that the outcome had no room for', () => {
  expect(verdictOf([old], [refused])).toEqual({ refused: [refused], tolerated: [old], warnings: [] });
});

test('names the id of another record at its element, and nothing where it is the same or none', () => {
  expect(otherIdIssue('CarePlan', 'a', '{"id":"b"}')).toMatchObject({ expression: ['CarePlan.id'] });
  expect(otherIdIssue('CarePlan', 'a', '{"id":1}')).toBeDefined();
  expect(otherIdIssue('CarePlan', 'a', '{"id":"a"}')).toBeUndefined();
  expect(otherIdIssue('CarePlan', 'a', '{}')).toBeUndefined();
});
