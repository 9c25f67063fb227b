/** Row 13a of docs/api-rows.md: errors of a list count as old errors if their items move. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type Json, type TestServer } from '../testing/test-server.ts';
import { expectRejection } from './testing/outcome.ts';
import { toPath, replace, sample, type Type } from './testing/records.ts';

let server: TestServer;
let type: Type;
let path: string;
let count = 0;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.remove());

/** Imports a record without validation. */
async function importRecord(newType: Type, members: Json): Promise<void> {
  count += 1;
  type = newType;
  const id = `faulty-${count}`;
  path = toPath(type, id);
  const answer = await server.send(
    'POST',
    '/app/import?level=off&keepIds=true',
    JSON.stringify({ ...sample(type, members), id }),
  );
  expect(answer.text).toContain('"stored":1');
}

const update = (members: Json) => server.send('PUT', path, JSON.stringify(sample(type, members)));

const div = '<div xmlns="http://www.w3.org/1999/xhtml">Stable.</div>';
const text = { status: 'additional', div };
const activity = (...statuses: string[]) => ({
  activity: statuses.map((status) => ({ detail: { status } })),
});
const section = (...sections: object[]) => ({ section: sections });
const [emptySection, filledSection, otherEmptySection] = [
  { title: 'Plan' },
  { title: 'Findings', text },
  { title: 'Social' },
];

interface Case {
  readonly type: Type;
  readonly before: Json;
  readonly after: Json;
}
const threeActivities = activity('wrong', 'scheduled', 'wrong');
const cases: readonly (readonly [string, Case])[] = [
  [
    'without the first activity',
    { type: 'CarePlan', before: threeActivities, after: activity('scheduled', 'wrong') },
  ],
  [
    'without the last activity',
    { type: 'CarePlan', before: threeActivities, after: activity('wrong', 'scheduled') },
  ],
  [
    'with the first activity corrected',
    { type: 'CarePlan', before: threeActivities, after: activity('completed', 'scheduled', 'wrong') },
  ],
  [
    'with the last activity corrected',
    { type: 'CarePlan', before: threeActivities, after: activity('wrong', 'scheduled', 'completed') },
  ],
  [
    'with an activity in front',
    { type: 'CarePlan', before: threeActivities, after: activity('unknown', 'wrong', 'scheduled', 'wrong') },
  ],
  [
    'without the first section',
    {
      type: 'Composition',
      before: section(emptySection, filledSection, otherEmptySection),
      after: section(filledSection, otherEmptySection),
    },
  ],
  [
    'with the first section filled',
    {
      type: 'Composition',
      before: section(emptySection, filledSection, otherEmptySection),
      after: section({ ...emptySection, text }, filledSection, otherEmptySection),
    },
  ],
  [
    'with the sections turned round',
    {
      type: 'Composition',
      before: section(emptySection, filledSection, otherEmptySection),
      after: section(otherEmptySection, filledSection, emptySection),
    },
  ],
  [
    'without a section before one that has empty ones',
    {
      type: 'Composition',
      before: section(emptySection, { title: 'Hospital', section: [emptySection, otherEmptySection] }),
      after: section({ title: 'Hospital', section: [emptySection, otherEmptySection] }),
    },
  ],
];

test.each(cases)('stores a PUT %s', async (_name, { type: caseType, before, after }) => {
  await importRecord(caseType, before);
  const answer = await update(after);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
});

test('rejects an added equal error, and reports only that error', async () => {
  await importRecord('CarePlan', activity('wrong', 'scheduled'));
  const answer = await update(activity('wrong', 'scheduled', 'wrong'));
  expectRejection(answer, {
    status: 400,
    code: 'code-invalid',
    expression: 'CarePlan.activity[2].detail.status',
  });
  expect(answer.json.issue).toHaveLength(1);
});

test('rejects another wrong value at the same element', async () => {
  await importRecord('CarePlan', threeActivities);
  const expression = 'CarePlan.activity[0].detail.status';
  const refusal = { code: 'code-invalid', expression };
  expectRejection(await update(activity('worse', 'scheduled', 'wrong')), { status: 400, ...refusal });
  const patch = await server.send('PATCH', path, replace('/activity/0/detail/status', 'worse'));
  expectRejection(patch, { status: 422, ...refusal });
});

test('stores a PATCH that corrects one of several equal errors', async () => {
  await importRecord('CarePlan', threeActivities);
  const patch = await server.send('PATCH', path, replace('/activity/2/detail/status', 'completed'));
  expect(patch.status).toBe(200);
});
