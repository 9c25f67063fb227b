import { expect, test } from 'vitest';
import type { StoreFinding, StoreFindings } from './quality.ts';
import { storeIssuesOf } from './store-issues.ts';

const finding: StoreFinding = {
  ...{ rule: 'store/duplicate-identifier', severity: 'warning', category: 'plausibility' },
  ...{ text: 'Another record has the same identifier.', pointer: '/identifier/1' },
  others: [{ type: 'CarePlan', id: 'two', title: 'Two' }],
};
const found: StoreFindings = { version: 3, findings: [finding] };

const identifiers = (...values: string[]) =>
  JSON.stringify({
    resourceType: 'CarePlan',
    identifier: values.map((value) => ({ system: 'urn:s', value })),
  });
const base = identifiers('one', 'two', 'three');

const issueOf = (text: string, version = 3) => {
  const [issue] = storeIssuesOf({ type: 'CarePlan', text, base, version }, found);
  return issue && { ...issue, head: text.slice(issue.start, issue.end) };
};

test('is at its element in the stored text, with the other records, and no version is named', () => {
  const issue = issueOf(base);
  expect(issue).toMatchObject({ pointer: '/identifier/1', expression: 'CarePlan.identifier[1]' });
  expect(issue).toMatchObject({ others: finding.others });
  expect(issue).not.toHaveProperty('storedVersion');
});

test('follows its element where the text was changed, and names the stored version', () => {
  const removed = issueOf(identifiers('two', 'three'));
  expect(removed).toMatchObject({ pointer: '/identifier/0', storedVersion: 3 });
  const inserted = issueOf(identifiers('zero', 'one', 'two', 'three'));
  expect(inserted).toMatchObject({ pointer: '/identifier/2', expression: 'CarePlan.identifier[2]' });
});

test('is at the record where its element is gone, and nowhere in a text that is no JSON', () => {
  expect(issueOf('{"resourceType":"CarePlan"}')).toMatchObject({ pointer: '', storedVersion: 3 });
  expect(issueOf('{')).toBeUndefined();
});

test('names the stored version where another one is open', () => {
  expect(issueOf(base, 2)).toMatchObject({ pointer: '/identifier/1', storedVersion: 3 });
});
