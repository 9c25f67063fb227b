import { expect, test } from 'vitest';
import type { StoreFinding, StoreFindings } from './quality.ts';
import { storeIssuesOf } from './store-issues.ts';

const finding: StoreFinding = {
  rule: 'store/duplicate-identifier',
  severity: 'warning',
  category: 'plausibility',
  text: 'Another record has the same identifier.',
  pointer: '/identifier/1',
  others: [{ type: 'CarePlan', id: 'two', title: 'Two' }],
};
const storeFindings: StoreFindings = { version: 3, findings: [finding] };

const identifiers = (...values: string[]) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    identifier: values.map((value) => ({ system: 'urn:s', value })),
  });
const base = identifiers('one', 'two', 'three');

const issueOf = (text: string, version = 3) => {
  const [issue] = storeIssuesOf({ type: 'CarePlan', text, base, version }, storeFindings);
  return issue && { ...issue, head: text.slice(issue.start, issue.end) };
};

test('locates the issue at its element in the stored text, without a version', () => {
  const issue = issueOf(base);
  expect(issue).toMatchObject({ pointer: '/identifier/1', expression: 'CarePlan.identifier[1]' });
  expect(issue).toMatchObject({ others: finding.others });
  expect(issue).not.toHaveProperty('storedVersion');
});

test('follows the element in a changed text and adds the stored version', () => {
  const issueAfterRemoval = issueOf(identifiers('two', 'three'));
  expect(issueAfterRemoval).toMatchObject({ pointer: '/identifier/0', storedVersion: 3 });
  const issueAfterInsertion = issueOf(identifiers('zero', 'one', 'two', 'three'));
  expect(issueAfterInsertion).toMatchObject({
    pointer: '/identifier/2',
    expression: 'CarePlan.identifier[2]',
  });
});

test('reports a removed element at the record, and nothing in invalid JSON', () => {
  expect(issueOf('{"resourceType":"CarePlan"}')).toMatchObject({ pointer: '', storedVersion: 3 });
  expect(issueOf('{')).toBeUndefined();
});

test('adds the stored version if another version is open', () => {
  expect(issueOf(base, 2)).toMatchObject({ pointer: '/identifier/1', storedVersion: 3 });
});
