import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeptFolder } from '../testing/kept-folder.ts';

/** Far behind the day on which this runs: a new folder is noted as judged by the real clock. */
const today = Date.UTC(2126, 10, 22, 12);
const day = 86_400_000;

let folder: KeptFolder;
beforeEach(async () => {
  folder = await KeptFolder.make(today);
});
afterEach(() => folder.remove());

/** Stores an open plan that ends on that date, while it is `time`; answers its id. */
async function storedOn(time: number, end: string): Promise<string> {
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

/** It becomes the day so many days behind today, while the server runs. */
async function later(days: number): Promise<void> {
  folder.now = today + days * day;
  folder.tick();
  await folder.settled();
}

test('a plan that became overdue while no server ran is in the worklist, and nobody touched it', async () => {
  const id = await storedOn(Date.UTC(2126, 0, 1), '2125-12-01');
  await folder.start();
  await folder.settled();
  expect(await overdue()).toEqual([id]);
  expect((await folder.send('GET', '/app/quality')).json.flagged).toEqual({ CarePlan: 1, Composition: 0 });
  expect((await folder.send('GET', `/fhir-r4/v1/CarePlan/${id}`)).headers.get('etag')).toBe('W/"1"');
  await folder.stop();
  expect(await folder.damage()).toEqual([]);
});

test('a plan becomes overdue at midnight while the server runs, on its day and not before', async () => {
  // 180 days behind the last moment of May 27, it is November 24.
  const id = await storedOn(today, '2126-05-27');
  await folder.start();
  await folder.settled();
  expect(await overdue()).toEqual([]);
  await later(1);
  expect(await overdue()).toEqual([]);
  expect((await folder.send('GET', '/app/quality')).json.flagged).toEqual({ CarePlan: 0, Composition: 0 });
  await later(2);
  expect(await overdue()).toEqual([id]);
  // The counts that were kept are counted anew.
  expect((await folder.send('GET', '/app/quality')).json.flagged).toEqual({ CarePlan: 1, Composition: 0 });
  expect((await folder.send('GET', '/app/overview')).json.judged.at).toBe(new Date(folder.now).toISOString());
});

test('a plan whose end is changed is overdue on its new day', async () => {
  const id = await storedOn(today, '2126-05-28');
  await folder.start();
  const path = `/fhir-r4/v1/CarePlan/${id}`;
  const { text } = await folder.send('GET', path);
  expect((await folder.send('PUT', path, text.replace('2126-05-28', '2126-05-27'))).status).toBe(200);
  await later(1);
  expect(await overdue()).toEqual([]);
  await later(2);
  expect(await overdue()).toEqual([id]);
});
