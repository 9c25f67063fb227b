import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/node.ts';
import { scan } from '../../json/scan.ts';
import { added, refusals, validationLevels } from './levels.ts';
import { validate } from './validate.ts';
import { verdictOf } from './verdict.ts';

const error = (rule: string, expression: string, diagnostics = rule) => ({
  severity: 'error',
  code: 'invalid',
  details: { text: rule },
  diagnostics,
  expression: [expression],
});
const warning = { severity: 'warning', code: 'invalid', diagnostics: 'stale', expression: ['CarePlan.text'] };

test('an error that is new refuses, one that was there does not, a warning never does', () => {
  const old = error('code', 'CarePlan.status');
  const fresh = error('code', 'CarePlan.intent');
  expect(verdictOf([old, fresh, warning], [old], 'standard')).toEqual({
    refused: [fresh],
    tolerated: [old],
    warnings: [warning],
  });
});

test('the level standard tolerates what it only flags, strict does not, off refuses nothing', () => {
  const missing = error('schema-required', 'CarePlan', 'schema-required: subject');
  const refused = (level: (typeof validationLevels)[number]) =>
    verdictOf([missing], [], level).refused.length;
  expect(validationLevels.map((level) => [level, refused(level)])).toEqual([
    ['off', 0],
    ['standard', 0],
    ['strict', 1],
  ]);
});

test('another element missing at the same place is a new error', () => {
  const one = error('schema-required', 'CarePlan', 'schema-required: subject');
  const other = error('schema-required', 'CarePlan', 'schema-required: intent');
  expect(verdictOf([other], [one], 'strict').refused).toEqual([other]);
});

test('an error without place and diagnostics refuses, unless it was there', () => {
  const bare = { severity: 'fatal', code: 'exception' };
  expect(verdictOf([bare], [], 'standard').refused).toEqual([bare]);
  expect(verdictOf([bare], [bare], 'standard').tolerated).toEqual([bare]);
});

test('it says what the server will say', () => {
  const record = (text: string) => scan(text).root as JsonObject;
  const judge = (text: string) => validate(record(text), 'CarePlan', { today: '2026-01-01' });
  const before = judge(
    '{"resourceType":"CarePlan","status":"bad","intent":"plan","subject":{"reference":"Patient/1"}}',
  );
  const after = judge('{"resourceType":"CarePlan","status":"bad","intent":"worse","extra":1,"created":"no"}');
  const issues = (findings: typeof after) =>
    findings.map(({ severity, code, text, expression, diagnostics }) => ({
      severity,
      code,
      details: { text },
      diagnostics,
      expression: [expression],
    }));
  for (const level of validationLevels) {
    const server = added(refusals(after, level), before).map(({ expression }) => [expression]);
    const page = verdictOf(issues(after), issues(before), level).refused.map(({ expression }) => expression);
    expect(page).toEqual(server);
  }
});
