import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

/** What is offered at the bar of a text. */
function at(marked: string) {
  const offset = marked.indexOf('|');
  return suggest(marked.replace('|', ''), offset, 'CarePlan');
}
const labels = (marked: string) => at(marked).map(({ label }) => label);

test('names that are not there yet are offered, the mandatory first', () => {
  expect(labels('{"resourceType": "CarePlan", "status": "active", |}').slice(0, 2)).toEqual([
    'intent',
    'subject',
  ]);
  expect(labels('{"resourceType": "CarePlan", | "status": "active"}')).not.toContain('status');
  expect(labels('{|}')[0]).toBe('resourceType');
  // What every resource may have comes last, as the definitions have it first.
  expect(labels('{"resourceType": "CarePlan", |}').indexOf('implicitRules')).toBeGreaterThan(
    labels('{"resourceType": "CarePlan", |}').indexOf('activity'),
  );
});

test('the name at the cursor stays on offer and is replaced whole', () => {
  const found = at('{"sta|tus": "active"}').find(({ label }) => label === 'status');
  expect(found).toMatchObject({ insert: '"status"', start: 1, end: 9, detail: 'code 1..1' });
});

test('of a choice, the others are no longer offered once one is taken', () => {
  const offered = labels('{"activity": [{"detail": {"scheduledString": "daily", |}}]}');
  expect(offered).toContain('status');
  expect(offered).not.toContain('scheduledPeriod');
});

test.each([
  ['{"period": 1, |}', 'subject', '"subject": {\n  $0\n}'],
  ['{| "id": "1"}', 'goal', '"goal": [\n  {\n    $0\n  }\n],'],
  ['{|}', 'title', '"title": "$0"'],
  ['{"category": [{"coding": [{|}]}]}', 'userSelected', '"userSelected": $0'],
])('in %s, %s is written with a value of its type', (marked, label, insert) => {
  expect(at(marked).find((one) => one.label === label)).toMatchObject({ insert });
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
])('in %s, these are offered: %j', (marked, offered) => {
  expect(labels(marked)).toEqual(offered);
});

test('a code comes with its meaning', () => {
  expect(at('{"status": "|"}')[1]?.documentation).toContain('ready to be acted upon');
});

test('in a contained resource the elements and codes of its own type are offered', () => {
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
