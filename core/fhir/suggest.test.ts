import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

/** Returns suggestions at `|`. */
function suggestAt(marked: string) {
  const offset = marked.indexOf('|');
  return suggest(marked.replace('|', ''), offset, 'CarePlan');
}
const labels = (marked: string) => suggestAt(marked).map(({ label }) => label);

test('suggests missing names, required ones first', () => {
  expect(labels('{"resourceType": "CarePlan", "status": "active", |}').slice(0, 2)).toEqual([
    'intent',
    'subject',
  ]);
  expect(labels('{"resourceType": "CarePlan", | "status": "active"}')).not.toContain('status');
  expect(labels('{|}')[0]).toBe('resourceType');
  // Members of every resource come last, although the definitions have them first.
  expect(labels('{"resourceType": "CarePlan", |}').indexOf('implicitRules')).toBeGreaterThan(
    labels('{"resourceType": "CarePlan", |}').indexOf('activity'),
  );
});

test('suggests the name at the cursor and replaces all of it', () => {
  const statusSuggestion = suggestAt('{"sta|tus": "active"}').find(({ label }) => label === 'status');
  expect(statusSuggestion).toMatchObject({ insert: '"status"', start: 1, end: 9, detail: 'code 1..1' });
});

test('omits alternatives of a choice that has a value', () => {
  const suggestedLabels = labels('{"activity": [{"detail": {"scheduledString": "daily", |}}]}');
  expect(suggestedLabels).toContain('status');
  expect(suggestedLabels).not.toContain('scheduledPeriod');
});

test.each([
  ['{"period": 1, |}', 'subject', '"subject": {\n  $0\n}'],
  ['{| "id": "1"}', 'goal', '"goal": [\n  {\n    $0\n  }\n],'],
  ['{|}', 'title', '"title": "$0"'],
  ['{"category": [{"coding": [{|}]}]}', 'userSelected', '"userSelected": $0'],
])('inserts in %s %s with a value of its type', (marked, label, insert) => {
  expect(suggestAt(marked).find((suggestion) => suggestion.label === label)).toMatchObject({ insert });
});

test.each([
  ['{"status": |}', ['draft', 'active', 'on-hold', 'revoked', 'completed', 'entered-in-error', 'unknown']],
  [
    '{"status": "ac|"}',
    ['draft', 'active', 'on-hold', 'revoked', 'completed', 'entered-in-error', 'unknown'],
  ],
  ['{"resourceType": "|"}', ['CarePlan']],
  ['{"category": [{"coding": [{"userSelected": |}]}]}', ['true', 'false']],
  ['{"period": |}', ['{ }']],
  ['{"goal": |}', ['[ ]']],
  ['{"title": "|"}', []],
  ['{"nothing": {|}}', []],
])('suggests in %s: %j', (marked, expectedLabels) => {
  expect(labels(marked)).toEqual(expectedLabels);
});

test('documents the meaning of a code', () => {
  expect(suggestAt('{"status": "|"}')[1]?.documentation).toContain('ready to be acted upon');
});

test('suggests elements and codes of the type of a contained resource', () => {
  const goal = (inner: string) => `{"contained": [{"resourceType": "Goal", ${inner}}]}`;
  expect(labels(goal('|')).slice(0, 3)).toEqual(['lifecycleStatus', 'description', 'subject']);
  expect(labels(goal('"target": [{|}]'))).toContain('detailQuantity');
  expect(labels(goal('"lifecycleStatus": "|"'))).toContain('accepted');
  expect(labels('{"contained": [{|}]}')).toContain('resourceType');
  expect(
    labels('{"contained": [{"resourceType": "Bundle", "entry": [{"resource": {"contained": [{|}]}}]}]}'),
  ).toContain('resourceType');
  expect(labels(goal('"target": [{|}]'))).not.toContain('resourceType');
  expect(labels('{"contained": [{"resourceType": "|"}]}')).toContain('CareTeam');
});
