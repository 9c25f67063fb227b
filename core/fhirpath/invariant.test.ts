import { expect, test } from 'vitest';
import { compileInvariant, type InvariantResult } from './invariant.ts';

const plan = { resourceType: 'CarePlan', status: 'active', note: [{ text: 'a' }, { text: 'b' }] };
const ask = (expression: string) => compileInvariant('CarePlan', expression)(plan, plan);

test.each<[expression: string, held: InvariantResult['status']]>([
  ["status = 'active'", 'held'],
  ["%resource.status = 'active'", 'held'],
  ["status = 'draft'", 'broken'],
  ['title', 'broken'],
])('evaluates %s as %s', (expression, expected) => {
  expect(ask(expression)).toEqual({ status: expected });
});

test.each([
  ['note.text', 'an expression that returns one value'],
  ['note.text.length()', 'an expression that can be evaluated on this value'],
  ['subject.resolve()', 'an answer to resolve(), which needs a server'],
  ['status =', 'an expression that can be parsed: '],
])('does not evaluate %s and reports why', (expression, expectedNeed) => {
  expect(ask(expression)).toEqual({
    status: 'unasked',
    needs: expect.objectContaining({ text: expect.stringContaining(expectedNeed) }),
  });
});
