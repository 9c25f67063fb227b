import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../core/api/failure.ts';
import type { CompletedTarget, Target } from './bulk-state.ts';
import { eachTarget, RunAbortedError } from './run-loop.ts';

const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const places = Array.from({ length: 20 }, (_, place) => place);
const targets = places.map((place): Target => ({ ...target, id: String(place) }));
const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

test('reports every result once, including results that arrive during a report', async () => {
  const reportedPlaces: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: async (item) => {
      await delay(30);
      return { ...item, state: 'done' };
    },
    report: async (results: readonly CompletedTarget[]) => {
      await delay(50);
      reportedPlaces.push(...results.map(({ place }) => place));
    },
    signal: new AbortController().signal,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop;
  expect(reportedPlaces.sort((a, b) => a - b)).toEqual(places);
});

test('takes no new record after a stop and reports pending results', async () => {
  const control = new AbortController();
  const reportedPlaces: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: async (item) => {
      await delay(30);
      if (item.id === '5') control.abort();
      return { ...item, state: 'done' };
    },
    report: (results: readonly CompletedTarget[]) =>
      void reportedPlaces.push(...results.map(({ place }) => place)),
    signal: control.signal,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop;
  expect(reportedPlaces.length).toBeGreaterThanOrEqual(6);
  expect(reportedPlaces.length).toBeLessThan(12);
});

test('stops all workers after an error and reports earlier results first', async () => {
  const reportedPlaces: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: (item) => (item.id === '3' ? Promise.reject(new Error('away')) : Promise.resolve(item)),
    report: (results: readonly CompletedTarget[]) =>
      void reportedPlaces.push(...results.map(({ place }) => place)),
    signal: new AbortController().signal,
  });
  const rejection = expect(loop).rejects.toThrow(RunAbortedError);
  await vi.advanceTimersByTimeAsync(60_000);
  await rejection;
  expect(reportedPlaces).toEqual(expect.arrayContaining([0, 1, 2]));
  expect(reportedPlaces).not.toContain(3);
  expect(reportedPlaces.length).toBeLessThan(20);
});

const busy = (status: number, seconds?: number) =>
  new ApiFailure(status, undefined, undefined, undefined, seconds);

test('waits as long as the server asks and then completes every record', async () => {
  const startMs = Date.now();
  const attempts: { readonly id: string; readonly elapsedMs: number }[] = [];
  const done: string[] = [];
  const waits: number[] = [];
  const loop = eachTarget(places, (place) => targets[place], {
    work: async (item) => {
      attempts.push({ id: item.id, elapsedMs: Date.now() - startMs });
      await delay(10);
      if (Date.now() - startMs < 30_000 && Number(item.id) >= 4) throw busy(429, 30);
      return { ...item, state: 'done' };
    },
    report: (results: readonly CompletedTarget[]) =>
      void done.push(...results.map(({ target: { id } }) => id)),
    signal: new AbortController().signal,
    waits: (seconds) => waits.push(seconds),
  });
  await vi.advanceTimersByTimeAsync(60_000);
  await loop;
  expect(done.sort((a, b) => Number(a) - Number(b))).toEqual(targets.map(({ id }) => id));
  expect(waits).toEqual([30]);
  expect(attempts.filter(({ elapsedMs }) => elapsedMs > 100 && elapsedMs < 30_000)).toEqual([]);
});

test('ends a pause when the run is stopped', async () => {
  const control = new AbortController();
  const startMs = Date.now();
  const loop = eachTarget(places, (place) => targets[place], {
    work: () => Promise.reject(busy(503, 60)),
    report: () => undefined,
    signal: control.signal,
    waits: () => void setTimeout(() => control.abort(), 1000),
  });
  await vi.advanceTimersByTimeAsync(1500);
  await loop;
  expect(Date.now() - startMs).toBe(1500);
});
