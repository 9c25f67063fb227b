import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openRecords } from '../start.ts';
import type { Looked } from '../store/damage.ts';
import type { RecordStore } from '../store/store.ts';
import { damageBodies } from '../testing/damage.ts';
import { carePlan } from '../testing/test-server.ts';
import type { Scrub } from '../workspace/damage-notes.ts';
import { createScrub } from './damage.ts';

const texts = 40;

let folder: string;
let store: RecordStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-scrub-'));
  const { store: filledStore, service } = await openRecords(folder);
  for (let index = 0; index < texts; index += 1) {
    await service.create({ type: 'CarePlan', author: 'test', text: carePlan(`Patient/${index}`) });
  }
  await filledStore.close();
  damageBodies(join(folder, 'records.db'), { count: 3, seed: 1 });
  ({ store } = await openRecords(folder));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** Creates a scrub with persistent notes. `look` replaces the read of the store. */
function scrubOver(notes: { state: Scrub }, look: RecordStore['damage']['look']) {
  let tick: () => void = () => undefined;
  const scrub = createScrub({
    damage: { lastPlace: () => store.damage.lastPlace(), look },
    leases: store.leases,
    notes: { scrub: () => notes.state, saveScrub: (state) => void (notes.state = state) },
    clock: () => 0,
    scheduleEvery: (_minute, work) => {
      tick = work;
      return () => undefined;
    },
    log: (line) => expect.fail(line),
  });
  return { ...scrub, tick: () => tick() };
}

test('reads at least one text per slice and each text once', async () => {
  const slices: Looked[] = [];
  for (let place = 0; ;) {
    const slice = await store.damage.look(place, 0);
    slices.push(slice);
    place = slice.place;
    if (slice.isFinished) break;
  }
  expect(slices.reduce((sum, { readCount }) => sum + readCount, 0)).toBe(texts);
  expect(slices.reduce((sum, { damagedCount }) => sum + damagedCount, 0)).toBe(3);
  expect(slices.slice(0, -1).every(({ readCount }) => readCount === 1)).toBe(true);
});

test('limits slices to a few milliseconds and continues after a stop', async () => {
  const notes: { state: Scrub } = { state: {} };
  const durations: number[] = [];
  const places: number[] = [];
  let closing: Promise<void> | undefined;
  const stoppedScrub = scrubOver(notes, (place, milliseconds) => {
    durations.push(milliseconds);
    places.push(place);
    if (places.length === 5) closing = stoppedScrub.close();
    return store.damage.look(place, 0);
  });
  stoppedScrub.tick();
  await stoppedScrub.idle();
  await closing;
  expect(notes.state.running).toMatchObject({ read: 5 });
  expect(Math.max(...durations)).toBeLessThan(10);

  const continuedScrub = scrubOver(notes, (place, milliseconds) => {
    places.push(place);
    return store.damage.look(place, milliseconds);
  });
  expect(continuedScrub.state().running).toMatchObject({ done: notes.state.running?.place, total: texts });
  continuedScrub.tick();
  await continuedScrub.idle();
  expect(places[5]).toBe(places[4] === undefined ? undefined : places[4] + 1);
  expect(notes.state).toEqual({ ended: { time: 0, read: texts, found: 3 } });
});
