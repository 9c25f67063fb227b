import { expect, onTestFinished, test } from 'vitest';
import { commands } from 'vitest/browser';
import { send, startServer } from '../testing/show.tsx';
import { createLive, listenForChanges } from './live.ts';

/** Opens a window that listens until it is closed. */
function openWindow() {
  const live = createLive();
  const controller = new AbortController();
  const openedWindow = { live, changes: 0, leave: () => controller.abort() };
  const done = listenForChanges(live, {
    signal: controller.signal,
    onChange: () => (openedWindow.changes += 1),
  });
  onTestFinished(async () => {
    controller.abort();
    await done;
  });
  return openedWindow;
}

const create = async () => {
  const body =
    '{"resourceType":"CarePlan","status":"active","intent":"plan","subject":{"reference":"Patient/1"}}';
  const response = await send('POST', '/fhir-r4/v1/CarePlan', body);
  return `CarePlan/${((await response.json()) as { id: string }).id}`;
};

const streams = async () => (await commands.requests()).filter((address) => address.endsWith('/app/changes'));

test('shares one stream between windows and hands it over when its window closes', async () => {
  await startServer();
  await commands.watchRequests();
  const [firstWindow, secondWindow] = [openWindow(), openWindow()];
  const stateOf = ({ live }: typeof firstWindow) => live.link.get().state;
  await expect.poll(() => [firstWindow, secondWindow].map(stateOf)).toEqual(['connected', 'connected']);
  const firstRecord = await create();
  await expect
    .poll(() => [firstWindow, secondWindow].map(({ live }) => live.events.get().has(firstRecord)))
    .toEqual([true, true]);
  expect(await streams()).toHaveLength(1);
  const thirdWindow = openWindow();
  await expect.poll(() => stateOf(thirdWindow)).toBe('connected');
  expect([firstWindow.changes, secondWindow.changes, thirdWindow.changes]).toEqual([1, 1, 0]);

  firstWindow.leave();
  await expect.poll(() => [secondWindow.changes, thirdWindow.changes]).toEqual([2, 1]);
  const secondRecord = await create();
  await expect
    .poll(() => [secondWindow, thirdWindow].map(({ live }) => live.events.get().has(secondRecord)))
    .toEqual([true, true]);
  expect(await streams()).toHaveLength(2);
  expect(firstWindow.live.events.get().has(secondRecord)).toBe(false);
});
