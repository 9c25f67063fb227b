/** Row 13a: the errors of a list stay old wherever their items come to stand. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRefusal } from './testing/outcome.ts';
import { at, replace, sample, type Type } from './testing/records.ts';

let server: TestServer;
let type: Type;
let path: string;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** Stores a record whatever is wrong with it. */
async function stored(of: Type, members: Json): Promise<void> {
  count += 1;
  type = of;
  const id = `faulty-${count}`;
  path = at(type, id);
  const answer = await server.send(
    'POST',
    '/app/import?level=off&keepIds=true',
    JSON.stringify({ ...sample(type, members), id }),
  );
  expect(answer.text).toContain('"stored":1');
}

const put = (members: Json) => server.send('PUT', path, JSON.stringify(sample(type, members)));

const div = '<div xmlns="http://www.w3.org/1999/xhtml">Stable.</div>';
const text = { status: 'additional', div };
const activity = (...statuses: string[]) => ({
  activity: statuses.map((status) => ({ detail: { status } })),
});
const section = (...all: object[]) => ({ section: all });
const [empty, told, other] = [{ title: 'Plan' }, { title: 'Findings', text }, { title: 'Social' }];

interface Case {
  readonly of: Type;
  readonly before: Json;
  readonly after: Json;
}
const three = activity('wrong', 'scheduled', 'wrong');
const cases: readonly (readonly [string, Case])[] = [
  ['without the first activity', { of: 'CarePlan', before: three, after: activity('scheduled', 'wrong') }],
  ['without the last activity', { of: 'CarePlan', before: three, after: activity('wrong', 'scheduled') }],
  [
    'with the first activity corrected',
    { of: 'CarePlan', before: three, after: activity('completed', 'scheduled', 'wrong') },
  ],
  [
    'with the last activity corrected',
    { of: 'CarePlan', before: three, after: activity('wrong', 'scheduled', 'completed') },
  ],
  [
    'with an activity in front',
    { of: 'CarePlan', before: three, after: activity('unknown', 'wrong', 'scheduled', 'wrong') },
  ],
  [
    'without the first section',
    { of: 'Composition', before: section(empty, told, other), after: section(told, other) },
  ],
  [
    'with the first section filled',
    {
      of: 'Composition',
      before: section(empty, told, other),
      after: section({ ...empty, text }, told, other),
    },
  ],
  [
    'with the sections turned round',
    { of: 'Composition', before: section(empty, told, other), after: section(other, told, empty) },
  ],
  [
    'without a section before one that has empty ones',
    {
      of: 'Composition',
      before: section(empty, { title: 'Hospital', section: [empty, other] }),
      after: section({ title: 'Hospital', section: [empty, other] }),
    },
  ],
];

test.each(cases)('row 13a: stores a PUT %s', async (_name, { of, before, after }) => {
  await stored(of, before);
  const answer = await put(after);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
});

test('row 13a: refuses one more of equal errors, and names that one alone', async () => {
  await stored('CarePlan', activity('wrong', 'scheduled'));
  const answer = await put(activity('wrong', 'scheduled', 'wrong'));
  expectRefusal(answer, {
    status: 400,
    code: 'code-invalid',
    expression: 'CarePlan.activity[2].detail.status',
  });
  expect(answer.json.issue).toHaveLength(1);
});

test('row 13a: refuses another wrong value at the same element', async () => {
  await stored('CarePlan', three);
  const expression = 'CarePlan.activity[0].detail.status';
  const refusal = { code: 'code-invalid', expression };
  expectRefusal(await put(activity('worse', 'scheduled', 'wrong')), { status: 400, ...refusal });
  const patch = await server.send('PATCH', path, replace('/activity/0/detail/status', 'worse'));
  expectRefusal(patch, { status: 422, ...refusal });
});

test('row 13a: stores a PATCH that corrects one of several equal errors', async () => {
  await stored('CarePlan', three);
  const patch = await server.send('PATCH', path, replace('/activity/2/detail/status', 'completed'));
  expect(patch.status).toBe(200);
});
