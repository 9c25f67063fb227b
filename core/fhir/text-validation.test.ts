import { expect, test } from 'vitest';
import { parseForValidation, validateParsed } from './text-validation.ts';

const today = '2025-03-10';
const validText =
  '{"resourceType": "CarePlan", "status": "active", "intent": "plan", "subject": {"display": "Ada"}}';
const validateText = (text: string) => validateParsed(parseForValidation(text), 'CarePlan', today, []);
const markedTexts = (text: string) =>
  validateText(text).issues.map(({ start, end }) => text.slice(start, end));

test('returns a card and no issue for a valid record', () => {
  const { issues, total, card } = validateText(validText);
  expect({ issues, total }).toEqual({ issues: [], total: 0 });
  expect(card?.facts[0]?.value).toEqual({ kind: 'status', text: 'active' });
});

test('marks the characters of an element with an issue', () => {
  const text = validText.replace('"active"', '"activ"').replace('"subject"', '"subjekt"');
  expect(markedTexts(text)).toEqual(['{', '"status": "activ"', '"subjekt"']);
  expect(validateText(text).issues[1]).toMatchObject({
    rule: 'schema-code',
    severity: 'error',
    parameters: { name: '(draft, active, on-hold, revoked, completed, entered-in-error, unknown)' },
    expression: 'CarePlan.status',
    pointer: '/status',
  });
});

test('returns one issue at the first character that is not JSON', () => {
  const text = validText.replace('"intent":', '"intent"');
  const { issues, card } = validateText(text);
  expect(issues).toMatchObject([
    { rule: 'json', severity: 'error', text: ': expected.', messageCode: 'json.colonExpected' },
  ]);
  expect(issues[0]?.start).toBe(text.indexOf('"plan"'));
  expect(card).toBeUndefined();
});

test('reports a duplicate name together with issues of the rules', () => {
  const { issues } = validateText(validText.replace('{', '{"status": "x", '));
  expect(issues.map(({ rule }) => rule)).toContain('json-duplicate-key');
});

test('reports a text that is not an object', () => {
  expect(validateText('[]')).toMatchObject({ total: 1, issues: [{ rule: 'json' }] });
});
