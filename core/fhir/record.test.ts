import { expect, test } from 'vitest';
import { scan } from '../json/scan.ts';
import type { JsonObject } from '../json/node.ts';
import { FhirError } from './outcome.ts';
import { checkType, readRecord } from './record.ts';

function refusal(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    if (error instanceof FhirError) return { kind: error.kind, ...error.problems[0] };
    throw error;
  }
  return undefined;
}

const plan = (members: string) => scan(`{"resourceType":"CarePlan"${members}}`).root as JsonObject;

test('a fault of syntax is told by line and column alone; any other names its element', () => {
  expect(refusal(() => readRecord('{"a":1,\n}', 'CarePlan'))).toEqual({
    kind: 'malformed',
    text: expect.stringMatching(/\(line 2, column 1\)\.$/) as string,
    messageCode: 'json.trailingComma',
    parameters: { line: '2', column: '1' },
    diagnostics: 'syntax at line 2, column 1',
  });
  expect(refusal(() => readRecord('{"period":{"start":"a","start":"b"}}', 'CarePlan'))).toMatchObject({
    expression: 'CarePlan.period',
  });
});

test.each([
  ['{}', 'body.untyped'],
  ['{"resourceType":"Composition"}', 'body.otherType'],
])('%s is no CarePlan', (text, messageCode) => {
  const of = () => checkType(scan(text).root as JsonObject, 'CarePlan');
  expect(refusal(of)).toMatchObject({ kind: 'invalid', messageCode, expression: 'CarePlan.resourceType' });
});

test.each([
  ['{}', undefined],
  ['null', 'structure'],
  ['""', 'structure'],
  ['[]', 'structure'],
  ['"a"', 'value'],
  ['[{}]', 'value'],
])('meta that is %s is refused with the code %s', (meta, code) => {
  const refused = refusal(() => checkType(plan(`,"meta":${meta}`), 'CarePlan'));
  if (code === undefined) expect(refused).toBeUndefined();
  else expect(refused).toMatchObject({ code, expression: 'CarePlan.meta' });
});
