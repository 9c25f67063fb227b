import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { enclosedIn, enclosing } from './enclosing.ts';

const text =
  '{"resourceType":"CarePlan","contained":[{"id":"a","resourceType":"Goal","target":[{"detailString":"x"}]},{"id":"b"}],"goal":[{"resourceType":"Goal"}]}';

test.each([
  [['status'], 'CarePlan', ['status']],
  [['contained', '0'], 'Goal', []],
  [['contained', '0', 'target', '0'], 'Goal', ['target', '0']],
  // Only contained resources are resources of their own.
  [['goal', '0', 'display'], 'CarePlan', ['goal', '0', 'display']],
  // Without a resourceType, only the location in the record is known.
  [['contained', '1', 'status'], 'CarePlan', ['contained', '1', 'status']],
])('returns the innermost resource with a type around %j', (tokens, type, inner) => {
  expect(enclosing(scan(text).root, 'CarePlan', tokens)).toEqual({ type, tokens: inner });
  expect(enclosedIn(text, 'CarePlan', tokens)).toEqual({ type, tokens: inner });
});

test('finds contained resources in a text that is not valid JSON yet', () => {
  const draft = text.replace('"x"}]}', '"x"}], "lifec');
  expect(enclosedIn(draft, 'CarePlan', ['contained', '0'])).toEqual({ type: 'Goal', tokens: [] });
});
