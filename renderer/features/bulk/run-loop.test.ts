import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../core/api/failure.ts';
import type { Settled, Target } from './bulk-state.ts';
import { eachTarget, RunHalted } from './run-loop.ts';

const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const places = Array.from({ length: 20 }, (_, place) => place);
const targets = places.map((place): Target => ({ ...target, id: String(place) }));
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('every outcome is reported once, also those that come in while others are reported', async () => {
  const seen: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: async (one) => {
      await later(30);
      return { ...one, state: 'done' };
    },
    report: async (settled: readonly Settled[]) => {
      await later(50);
      seen.push(...settled.map(({ place }) => place));
    },
    signal: new AbortController().signal,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop;
  expect(seen.sort((a, b) => a - b)).toEqual(places);
});

test('a stop takes no new record, and reports what was under way', async () => {
  const control = new AbortController();
  const seen: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: async (one) => {
      await later(30);
      if (one.id === '5') control.abort();
      return { ...one, state: 'done' };
    },
    report: (settled: readonly Settled[]) => void seen.push(...settled.map(({ place }) => place)),
    signal: control.signal,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop;
  expect(seen.length).toBeGreaterThanOrEqual(6);
  expect(seen.length).toBeLessThan(12);
});

test('what halts a record halts all, after what was done is reported', async () => {
  const seen: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: (one) => (one.id === '3' ? Promise.reject(new Error('away')) : Promise.resolve(one)),
    report: (settled: readonly Settled[]) => void seen.push(...settled.map(({ place }) => place)),
    signal: new AbortController().signal,
  });
  const halted = expect(loop).rejects.toThrow(RunHalted);
  await vi.advanceTimersByTimeAsync(60_000);
  await halted;
  expect(seen).toEqual(expect.arrayContaining([0, 1, 2]));
  expect(seen).not.toContain(3);
  expect(seen.length).toBeLessThan(20);
});

const busy = (status: number, seconds?: number) =>
  new ApiFailure(status, undefined, undefined, undefined, seconds);

test('a server that asks to wait is left alone for as long, and every record is done afterwards', async () => {
  const began = Date.now();
  const asked: { readonly id: string; readonly at: number }[] = [];
  const done: string[] = [];
  const waits: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: async (one) => {
      asked.push({ id: one.id, at: Date.now() - began });
      await later(10);
      if (Date.now() - began < 30_000 && Number(one.id) >= 4) throw busy(429, 30);
      return { ...one, state: 'done' };
    },
    report: (settled: readonly Settled[]) => void done.push(...settled.map(({ target: { id } }) => id)),
    signal: new AbortController().signal,
    waits: (seconds) => waits.push(seconds),
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop;
  expect(done.sort((a, b) => Number(a) - Number(b))).toEqual(targets.map(({ id }) => id));
  expect(waits).toEqual([30]);
  expect(asked.filter(({ at }) => at > 100 && at < 30_000)).toEqual([]);
});

test('a pause ends where the run is stopped', async () => {
  const control = new AbortController();
  const began = Date.now();
  const loop = eachTarget(places, (place) => targets[place], {
    work: () => Promise.reject(busy(503, 60)),
    report: () => undefined,
    signal: control.signal,
    waits: () => void setTimeout(() => control.abort(), 1000),
  });
  await vi.advanceTimersByTimeAsync(1500);
  await loop;
  expect(Date.now() - began).toBe(1500);
});
