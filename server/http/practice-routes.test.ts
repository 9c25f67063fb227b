import { afterAll, beforeAll, expect, test } from 'vitest';
import { asked, PracticeState, type Exercise, type ExerciseState } from '../../core/app/practice.ts';
import { is } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, 60_000);
afterAll(() => server.remove());

async function stateOf(exercise: Exercise): Promise<ExerciseState> {
  const { json } = await server.send('GET', '/app/practice');
  const state = is(PracticeState, json) ? json.find((one) => one.exercise === exercise) : undefined;
  if (!state) throw new TypeError('This is no state of an exercise.');
  return state;
}

async function begin(exercise: Exercise): Promise<ExerciseState> {
  const { status, json } = await server.send('POST', `/app/practice/${exercise}`);
  expect([exercise, status]).toEqual([exercise, 200]);
  expect(json).toEqual(await stateOf(exercise));
  return stateOf(exercise);
}

const pathOf = ({ type, id }: ExerciseState['records'][number]) => `/fhir-r4/v1/${type}/${id}`;

async function patch(state: ExerciseState, pointer: string, value: string, at = 0): Promise<void> {
  const record = state.records[at];
  if (!record) throw new TypeError('The exercise has no such record.');
  const body = JSON.stringify([{ op: 'replace', path: pointer, value }]);
  expect((await server.send('PATCH', pathOf(record), body)).status).toBe(200);
}

/** Saves a record whole, with one text in the place of another. */
async function put(state: ExerciseState, from: RegExp, to: string): Promise<void> {
  const [record] = state.records;
  if (!record) throw new TypeError('The exercise has no record.');
  const { text } = await server.send('GET', pathOf(record));
  expect(text).toMatch(from);
  expect((await server.send('PUT', pathOf(record), text.replace(from, to))).status).toBe(200);
}

test('nothing is begun before it is begun, and no record is in two exercises', async () => {
  const { json } = await server.send('GET', '/app/practice');
  if (!is(PracticeState, json)) throw new TypeError('This is no state of the practice.');
  expect(json.map(({ exercise, begun, left }) => [exercise, begun, left])).toEqual(
    ['find', 'mend', 'conflict', 'patch', 'bulk'].map((one) => [one, undefined, []]),
  );
  const ids = json.flatMap(({ records }) => records.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(6);
  expect((await server.send('POST', '/app/practice/conflict/colleague')).status).toBe(422);
  expect((await server.send('POST', '/app/practice/unknown')).json.issue[0].details.text).toBe(
    'The exercises are find, mend, conflict, patch, bulk.',
  );
});

test('find: done with the status of the plan alone; what was changed as well is named; begun anew it is as it was', async () => {
  const state = await begin('find');
  expect(state.left).toEqual(['The plan is not on-hold yet.']);
  await patch(state, '/status', asked.held);
  expect((await stateOf('find')).left).toEqual([]);
  await patch(state, '/title', 'Another');
  expect((await stateOf('find')).left).toEqual(['This was changed as well: /title.']);
  expect((await begin('find')).left).toEqual(['The plan is not on-hold yet.']);
});

test('mend: what is wrong with the record is left to be done, until it is mended and nothing else', async () => {
  const state = await begin('mend');
  expect(state.left).toEqual([expect.stringMatching(/code/)]);
  await patch(state, '/status', 'completed');
  expect((await stateOf('mend')).left).toEqual([]);
  await patch(state, '/title', 'Another');
  expect((await stateOf('mend')).left).toEqual(['This was changed as well: /title.']);
  // The fault comes back, which no save would bring.
  expect((await begin('mend')).left).toHaveLength(1);
});

test('conflict: both changes have to be there', async () => {
  const state = await begin('conflict');
  await patch(state, '/title', asked.title);
  expect((await stateOf('conflict')).left).toEqual(['The colleague has not saved yet.']);
  const { json } = await server.send('POST', '/app/practice/conflict/colleague');
  expect(json.left).toEqual([]);
  await patch(state, '/description', 'Overwritten');
  expect((await stateOf('conflict')).left).toEqual(['What the colleague wrote is lost.']);
});

test('patch: a plan that was saved whole is told from one that was patched', async () => {
  const state = await begin('patch');
  await put(state, /"period":\{"start":"[^"]*"/, `"period":{"start":"${asked.start}"`);
  expect((await stateOf('patch')).left).toEqual(['It was saved whole, and not by a patch.']);
  await begin('patch');
  await patch(state, '/period/start', asked.start);
  expect((await stateOf('patch')).left).toEqual([]);
});

test('bulk: each plan was changed, and each is as it was again', async () => {
  const { records, left } = await begin('bulk');
  const count = records.length;
  expect(left).toEqual([`${count} of ${count} plans were never on-hold.`]);
  const texts = await Promise.all(records.map(async (one) => (await server.send('GET', pathOf(one))).text));
  const hold = JSON.stringify([{ op: 'replace', path: '/status', value: asked.held }]);
  for (const one of records) await server.send('PATCH', pathOf(one), hold);
  expect((await stateOf('bulk')).left).toEqual([
    `${count} of ${count} plans are not as they were before the run.`,
  ]);
  for (const [at, one] of records.entries()) {
    expect((await server.send('PUT', pathOf(one), texts[at])).status).toBe(200);
  }
  expect((await stateOf('bulk')).left).toEqual([]);
  expect((await begin('bulk')).left).toEqual(left);
});
