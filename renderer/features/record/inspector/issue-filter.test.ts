import { expect, test } from 'vitest';
import type { Issue } from '../../../../core/fhir/text-validation.ts';
import { matching, matchingOpen } from './issue-filter.ts';

const issue = (rule: string, text: string, expression: string): Issue => ({
  rule,
  text,
  expression,
  pointer: '',
  start: 0,
  end: 1,
  severity: 'error',
  category: 'conformance',
});
const issues = [
  issue('per-1', 'The period ends before it starts', 'CarePlan.period'),
  issue('ref-1', 'No such resource', 'CarePlan.goal[0]'),
];

test.each([
  ['', ['per-1', 'ref-1']],
  ['PERIOD', ['per-1']],
  ['careplan. such', ['ref-1']],
  ['conformance error', ['per-1', 'ref-1']],
  ['nothing', []],
])('filters issues by "%s" to %j', (filter, rules) => {
  expect(matching(issues, filter).map(({ rule }) => rule)).toEqual(rules);
});

test('filters undecided rules by the same words', () => {
  const openIssues = ['CarePlan.category', 'CarePlan.goal'].map((expression) => ({
    expression,
    messageCode: 'needs.codeSystem',
    text: `Not checked: ${expression} needs a code system.`,
    pointer: '',
    profile: 'http://ward.example/ward-plan',
    needs: 'a code system',
  }));
  expect(matchingOpen(openIssues, 'ward-plan CATEGORY')).toEqual([openIssues[0]]);
  expect(matchingOpen(openIssues, 'nothing')).toEqual([]);
  expect(matchingOpen(openIssues, '')).toEqual(openIssues);
});
