import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import { enclosedIn, enclosing } from './enclosing.ts';

const text =
  '{"resourceType":"CarePlan","contained":[{"id":"a","resourceType":"Goal","target":[{"detailString":"x"}]},{"id":"b"}],"goal":[{"resourceType":"Goal"}]}';

test.each([
  [['status'], 'CarePlan', ['status']],
  [['contained', '0'], 'Goal', []],
  [['contained', '0', 'target', '0'], 'Goal', ['target', '0']],
  // Only a contained one is a resource.
  [['goal', '0', 'display'], 'CarePlan', ['goal', '0', 'display']],
  // Of one that does not say what it is, nothing more is known than its place in the record.
  [['contained', '1', 'status'], 'CarePlan', ['contained', '1', 'status']],
])('%j is seen from the innermost resource that says what it is', (tokens, type, inner) => {
  expect(enclosing(scan(text).root, 'CarePlan', tokens)).toEqual({ type, tokens: inner });
  expect(enclosedIn(text, 'CarePlan', tokens)).toEqual({ type, tokens: inner });
});

test('a text that is being written is no JSON yet, and its contained resources are known', () => {
  const written = text.replace('"x"}]}', '"x"}], "lifec');
  expect(enclosedIn(written, 'CarePlan', ['contained', '0'])).toEqual({ type: 'Goal', tokens: [] });
});
