import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import type { JsonObject } from '../json/node.ts';
import { FhirError } from './outcome.ts';
import { checkType, readRecord } from './record.ts';

function catchProblem(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof FhirError) return { kind: error.kind, ...error.problems[0] };
    throw error;
  }
  return undefined;
}

const plan = (members: string) => scan(`{"resourceType":"CarePlan"${members}}`).root as JsonObject;

test('reports line and column of a syntax error, and the element of any other problem', () => {
  expect(catchProblem(() => readRecord('{"a":1,\n}', 'CarePlan'))).toEqual({
    kind: 'malformed',
    text: expect.stringMatching(/\(line 2, column 1\)\.$/) as string,
    messageCode: 'json.trailingComma',
    parameters: { line: '2', column: '1' },
    diagnostics: 'syntax at line 2, column 1',
  });
  expect(catchProblem(() => readRecord('{"period":{"start":"a","start":"b"}}', 'CarePlan'))).toMatchObject({
    expression: 'CarePlan.period',
  });
});

test.each([
  ['{}', 'body.untyped'],
  ['{"resourceType":"Composition"}', 'body.otherType'],
])('rejects %s as a CarePlan', (text, messageCode) => {
  const checkPlan = () => checkType(scan(text).root as JsonObject, 'CarePlan');
  expect(catchProblem(checkPlan)).toMatchObject({
    kind: 'invalid',
    messageCode,
    expression: 'CarePlan.resourceType',
  });
});

test.each([
  ['{}', undefined],
  ['null', 'structure'],
  ['""', 'structure'],
  ['[]', 'structure'],
  ['"a"', 'value'],
  ['[{}]', 'value'],
])('rejects meta %s with the code %s', (meta, code) => {
  const rejection = catchProblem(() => checkType(plan(`,"meta":${meta}`), 'CarePlan'));
  if (code === undefined) expect(rejection).toBeUndefined();
  else expect(rejection).toMatchObject({ code, expression: 'CarePlan.meta' });
});
