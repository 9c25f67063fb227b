import { expect, onTestFinished, test } from 'vitest';
import { commands } from 'vitest/browser';
import { send, startServer } from '../testing/show.tsx';
import { createLive, listen } from './live.ts';

/** A window that listens, until it is left. */
function open() {
  const live = createLive();
  const leaving = new AbortController();
  const window = { live, changes: 0, leave: () => leaving.abort() };
  const done = listen(live, { signal: leaving.signal, onChange: () => (window.changes += 1) });
  onTestFinished(async () => {
    leaving.abort();
    await done;
  });
  return window;
}

const create = async () => {
  const body =
    '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/1"}}';
  const answer = await send('POST', '/fhir-r4/v1/CarePlan', body);
  return `CarePlan/${((await answer.json()) as { id: string }).id}`;
};

const streams = async () => (await commands.requests()).filter((address) => address.endsWith('/app/changes'));

test('windows share one stream; where the one that holds it goes, another takes over and reads anew what it shows', async () => {
  await startServer();
  await commands.watchRequests();
  const [first, second] = [open(), open()];
  const stateOf = ({ live }: typeof first) => live.link.get().state;
  await expect.poll(() => [first, second].map(stateOf)).toEqual(['connected', 'connected']);
  const one = await create();
  await expect.poll(() => [first, second].map(({ live }) => live.heard.get().has(one))).toEqual([true, true]);
  expect(await streams()).toHaveLength(1);
  const third = open();
  await expect.poll(() => stateOf(third)).toBe('connected');
  expect([first.changes, second.changes, third.changes]).toEqual([1, 1, 0]);

  first.leave();
  await expect.poll(() => [second.changes, third.changes]).toEqual([2, 1]);
  const other = await create();
  await expect
    .poll(() => [second, third].map(({ live }) => live.heard.get().has(other)))
    .toEqual([true, true]);
  expect(await streams()).toHaveLength(2);
  expect(first.live.heard.get().has(other)).toBe(false);
});
