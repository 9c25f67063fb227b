import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptFolder } from '../testing/kept-folder.ts';

/** Far after the real date: a new folder counts as validated by the real clock. */
const today = Date.UTC(2126, 10, 22, 12);
const day = 86_400_000;

let folder: KeptFolder;
beforeEach(async () => {
  folder = await KeptFolder.make(today);
});
afterEach(() => folder.remove());

/** Stores an open plan with that end date at the instant `time`. Returns its id. */
async function storePlan(time: number, end: string): Promise<string> {
  const plan = {
    resourceType: 'CarePlan',
    status: 'active',
    intent: 'plan',
    period: { start: '2125-01-01', end },
  };
  const text = JSON.stringify({ ...plan, subject: { reference: 'Patient/p' } });
  folder.now = time;
  await folder.start();
  const { json } = await folder.send('POST', '/fhir-r4/v1/CarePlan', text);
  await folder.stop();
  folder.now = today;
  return json.id;
}

async function overdue(): Promise<string[]> {
  const { findings } = (await folder.send('GET', '/app/quality/findings?rule=plan-overdue')).json;
  return findings.map(({ id }: { id: string }) => id);
}

/** Advances the clock by some days while the server runs. */
async function advanceDays(days: number): Promise<void> {
  folder.now = today + days * day;
  folder.tick();
  await folder.waitForRebuild();
}

test('lists a plan that became overdue while no server ran, and writes no record', async () => {
  const id = await storePlan(Date.UTC(2126, 0, 1), '2125-12-01');
  await folder.start();
  await folder.waitForRebuild();
  expect(await overdue()).toEqual([id]);
  expect((await folder.send('GET', '/app/quality')).json.flagged).toEqual({ CarePlan: 1, Composition: 0 });
  expect((await folder.send('GET', `/fhir-r4/v1/CarePlan/${id}`)).headers.get('etag')).toBe('W/"1"');
  await folder.stop();
  expect(await folder.verify()).toEqual([]);
});

test('reports a plan as overdue at midnight of its day while the server runs', async () => {
  // 180 days after the last moment of May 27 it is November 24.
  const id = await storePlan(today, '2126-05-27');
  await folder.start();
  await folder.waitForRebuild();
  expect(await overdue()).toEqual([]);
  await advanceDays(1);
  expect(await overdue()).toEqual([]);
  expect((await folder.send('GET', '/app/quality')).json.flagged).toEqual({ CarePlan: 0, Composition: 0 });
  await advanceDays(2);
  expect(await overdue()).toEqual([id]);
  // Cached counts are counted again.
  expect((await folder.send('GET', '/app/quality')).json.flagged).toEqual({ CarePlan: 1, Composition: 0 });
  expect((await folder.send('GET', '/app/overview')).json.judged.at).toBe(new Date(folder.now).toISOString());
});

test('moves an overdue plan to its new day when its end changes', async () => {
  const id = await storePlan(today, '2126-05-28');
  await folder.start();
  const path = `/fhir-r4/v1/CarePlan/${id}`;
  const { text } = await folder.send('GET', path);
  expect((await folder.send('PUT', path, text.replace('2126-05-28', '2126-05-27'))).status).toBe(200);
  await advanceDays(1);
  expect(await overdue()).toEqual([]);
  await advanceDays(2);
  expect(await overdue()).toEqual([id]);
});
