import { afterAll, beforeAll, expect, test } from 'vitest';
import { requiredValues, PracticeState, type Exercise, type ExerciseState } from '../../core/app/practice.ts';
import { matchesSchema } from '../../core/json/shape.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
}, 60_000);
afterAll(() => server.remove());

async function readState(exercise: Exercise): Promise<ExerciseState> {
  const { json } = await server.send('GET', '/app/practice');
  const state = matchesSchema(PracticeState, json)
    ? json.find((candidate) => candidate.exercise === exercise)
    : undefined;
  if (!state) throw new TypeError('This is no state of an exercise.');
  return state;
}

async function startExercise(exercise: Exercise): Promise<ExerciseState> {
  const { status, json } = await server.send('POST', `/app/practice/${exercise}`);
  expect([exercise, status]).toEqual([exercise, 200]);
  expect(json).toEqual(await readState(exercise));
  return readState(exercise);
}

const pathOf = ({ type, id }: ExerciseState['records'][number]) => `/fhir-r4/v1/${type}/${id}`;

async function patch(state: ExerciseState, pointer: string, value: string, recordIndex = 0): Promise<void> {
  const record = state.records[recordIndex];
  if (!record) throw new TypeError('The exercise has no such record.');
  const body = JSON.stringify([{ op: 'replace', path: pointer, value }]);
  expect((await server.send('PATCH', pathOf(record), body)).status).toBe(200);
}

/** Saves a full record with one text replaced. */
async function put(state: ExerciseState, from: RegExp, to: string): Promise<void> {
  const [record] = state.records;
  if (!record) throw new TypeError('The exercise has no record.');
  const { text } = await server.send('GET', pathOf(record));
  expect(text).toMatch(from);
  expect((await server.send('PUT', pathOf(record), text.replace(from, to))).status).toBe(200);
}

test('starts with no exercise in progress and assigns no record twice', async () => {
  const { json } = await server.send('GET', '/app/practice');
  if (!matchesSchema(PracticeState, json)) throw new TypeError('This is no state of the practice.');
  expect(
    json.map(({ exercise, begun: startTime, left: remaining }) => [exercise, startTime, remaining]),
  ).toEqual(['find', 'mend', 'conflict', 'patch', 'bulk'].map((name) => [name, undefined, []]));
  const ids = json.flatMap(({ records }) => records.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(6);
  expect((await server.send('POST', '/app/practice/conflict/colleague')).status).toBe(422);
  const { json: refusal } = await server.send('POST', '/app/practice/unknown');
  expect(refusal.issue[0].details.text).toBe(
    'The exercise must be one of find, mend, conflict, patch, or bulk.',
  );
});

test('find: requires only a change of the status, names other changes and restarts cleanly', async () => {
  const state = await startExercise('find');
  expect(state.left).toEqual(['The plan is not on-hold yet.']);
  await patch(state, '/status', requiredValues.held);
  expect((await readState('find')).left).toEqual([]);
  await patch(state, '/title', 'Another');
  expect((await readState('find')).left).toEqual(['Also changed: /title.']);
  expect((await startExercise('find')).left).toEqual(['The plan is not on-hold yet.']);
});

test('mend: lists the remaining errors until exactly they are fixed', async () => {
  const state = await startExercise('mend');
  expect(state.left).toEqual([expect.stringMatching(/code/)]);
  await patch(state, '/status', 'completed');
  expect((await readState('mend')).left).toEqual([]);
  await patch(state, '/title', 'Another');
  expect((await readState('mend')).left).toEqual(['Also changed: /title.']);
  // Restarting restores the error, which no save could store.
  expect((await startExercise('mend')).left).toHaveLength(1);
});

test('conflict: requires both changes', async () => {
  const state = await startExercise('conflict');
  await patch(state, '/title', requiredValues.title);
  const waitingState = await readState('conflict');
  expect(waitingState.left).toEqual(['Your colleague has not saved yet.']);
  expect(waitingState.leftMessages).toEqual([
    { messageCode: 'exercise.colleagueNotSaved', text: 'Your colleague has not saved yet.' },
  ]);
  const { json } = await server.send('POST', '/app/practice/conflict/colleague');
  expect(json.left).toEqual([]);
  await patch(state, '/description', 'Overwritten');
  expect((await readState('conflict')).left).toEqual(['Your colleague’s change is lost.']);
});

test('patch: distinguishes a full save from a patch', async () => {
  const state = await startExercise('patch');
  await put(state, /"period":\{"start":"[^"]*"/, `"period":{"start":"${requiredValues.start}"`);
  expect((await readState('patch')).left).toEqual(['The record was saved, not patched.']);
  await startExercise('patch');
  await patch(state, '/period/start', requiredValues.start);
  expect((await readState('patch')).left).toEqual([]);
});

test('bulk: requires a change of each plan, then the original state', async () => {
  const { records, left: remaining } = await startExercise('bulk');
  const count = records.length;
  expect(remaining).toEqual([`${count} of ${count} plans were never on-hold.`]);
  const texts = await Promise.all(
    records.map(async (record) => (await server.send('GET', pathOf(record))).text),
  );
  const hold = JSON.stringify([{ op: 'replace', path: '/status', value: requiredValues.held }]);
  for (const record of records) await server.send('PATCH', pathOf(record), hold);
  expect((await readState('bulk')).left).toEqual([
    `${count} of ${count} plans are not back to what they were before.`,
  ]);
  for (const [index, record] of records.entries()) {
    expect((await server.send('PUT', pathOf(record), texts[index])).status).toBe(200);
  }
  expect((await readState('bulk')).left).toEqual([]);
  expect((await startExercise('bulk')).left).toEqual(remaining);
});
