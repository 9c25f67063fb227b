import { expect, test } from 'vitest';
import { validateText } from './text-validation.ts';

const today = '2025-03-10';
const sound =
  '{"resourceType": "CarePlan", "status": "active", "intent": "plan", "subject": {"display": "Ada"}}';
const shown = (text: string) =>
  validateText(text, 'CarePlan', today).issues.map(({ start, end }) => text.slice(start, end));

test('a sound record has no issue and a card', () => {
  const { issues, total, card } = validateText(sound, 'CarePlan', today);
  expect({ issues, total }).toEqual({ issues: [], total: 0 });
  expect(card?.facts[0]?.value).toEqual({ kind: 'status', text: 'active' });
});

test('an issue points at the characters of its element', () => {
  const text = sound.replace('"active"', '"activ"').replace('"subject"', '"subjekt"');
  expect(shown(text)).toEqual(['{', '"status": "activ"', '"subjekt"']);
  expect(validateText(text, 'CarePlan', today).issues[1]).toMatchObject({
    rule: 'schema-code',
    severity: 'error',
    parameters: { name: '(draft, active, on-hold, revoked, completed, entered-in-error, unknown)' },
    expression: 'CarePlan.status',
    pointer: '/status',
  });
});

test('a text that is no JSON has one issue, at the character where it stops to be JSON', () => {
  const text = sound.replace('"intent":', '"intent"');
  const { issues, card } = validateText(text, 'CarePlan', today);
  expect(issues).toMatchObject([
    { rule: 'json', severity: 'error', text: ': expected.', messageCode: 'json.colonExpected' },
  ]);
  expect(issues[0]?.start).toBe(text.indexOf('"plan"'));
  expect(card).toBeUndefined();
});

test('a name that stands twice is an issue beside those of the rules', () => {
  const { issues } = validateText(sound.replace('{', '{"status": "x", '), 'CarePlan', today);
  expect(issues.map(({ rule }) => rule)).toContain('json-duplicate-key');
});

test('a text that is no object is said to be none', () => {
  expect(validateText('[]', 'CarePlan', today)).toMatchObject({ total: 1, issues: [{ rule: 'json' }] });
});
