import { expect, test } from 'vitest';
import { compileInvariant, type Held } from './invariant.ts';

const plan = { resourceType: 'CarePlan', status: 'active', note: [{ text: 'a' }, { text: 'b' }] };
const ask = (expression: string) => compileInvariant('CarePlan', expression)(plan, plan);

test.each<[expression: string, held: Held['is']]>([
  ["status = 'active'", 'held'],
  ["%resource.status = 'active'", 'held'],
  ["status = 'draft'", 'broken'],
  ['title', 'broken'],
])('%s is %s', (expression, is) => {
  expect(ask(expression)).toEqual({ is });
});

test.each([
  ['note.text', 'an expression that gives one value'],
  ['note.text.length()', 'an expression that can be evaluated on this value'],
  ['subject.resolve()', 'what resolve() asks for'],
  ['status =', 'an expression that can be parsed: '],
])('%s is not asked, and it is said why', (expression, why) => {
  expect(ask(expression)).toEqual({ is: 'unasked', why: expect.stringContaining(why) });
});
