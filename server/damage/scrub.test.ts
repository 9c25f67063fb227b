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
import { createScrub } from './scrub.ts';

const texts = 40;

let folder: string;
let store: RecordStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chartkeeper-scrub-'));
  const { store: filled, service } = await openRecords(folder);
  for (let one = 0; one < texts; one += 1) {
    await service.create({ type: 'CarePlan', author: 'test', text: carePlan(`Patient/${one}`) });
  }
  await filled.close();
  damageBodies(join(folder, 'records.db'), { count: 3, seed: 1 });
  ({ store } = await openRecords(folder));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** A scrub over notes that outlive it; `look` stands between it and the store. */
function scrubOver(notes: { state: Scrub }, look: RecordStore['damage']['look']) {
  let tick: () => void = () => undefined;
  const scrub = createScrub({
    damage: { ...{ lastPlace: () => store.damage.lastPlace(), alone: (work) => work() }, look },
    notes: { scrub: () => notes.state, saveScrub: (state) => void (notes.state = state) },
    clock: () => 0,
    every: (_minute, work) => {
      tick = work;
      return () => undefined;
    },
    log: (line) => expect.fail(line),
  });
  return { ...scrub, tick: () => tick() };
}

test('item 21: a slice reads one text at least and ends with its time; together they read each text once', async () => {
  const looked: Looked[] = [];
  for (let place = 0; ;) {
    const one = await store.damage.look(place, 0);
    looked.push(one);
    place = one.place;
    if (one.ended) break;
  }
  expect(looked.reduce((sum, { read }) => sum + read, 0)).toBe(texts);
  expect(looked.reduce((sum, { found }) => sum + found, 0)).toBe(3);
  expect(looked.slice(0, -1).every(({ read }) => read === 1)).toBe(true);
});

test('item 21: the scrub asks for slices of a few milliseconds; stopped in between, it goes on where it was', async () => {
  const notes: { state: Scrub } = { state: {} };
  const asked: number[] = [];
  const places: number[] = [];
  const stopped = scrubOver(notes, (place, milliseconds) => {
    asked.push(milliseconds);
    places.push(place);
    if (places.length === 5) void stopped.close();
    return store.damage.look(place, 0);
  });
  stopped.tick();
  await stopped.idle();
  expect(notes.state.running).toMatchObject({ read: 5 });
  expect(Math.max(...asked)).toBeLessThan(10);

  const gone = scrubOver(notes, (place, milliseconds) => {
    places.push(place);
    return store.damage.look(place, milliseconds);
  });
  expect(gone.state().running).toMatchObject({ done: notes.state.running?.place, total: texts });
  gone.tick();
  await gone.idle();
  expect(places[5]).toBe(places[4] === undefined ? undefined : places[4] + 1);
  expect(notes.state).toEqual({ ended: { time: 0, read: texts, found: 3 } });
});
