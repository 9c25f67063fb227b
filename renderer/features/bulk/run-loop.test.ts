import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RecordVersion } from '../../../core/api/client.ts';
import type { WriteBase } from '../../../core/api/write-base.ts';
import { etagOf } from '../../../core/api/precondition.ts';
import { ApiFailure } from '../../../core/api/failure.ts';
import type { Settled, Target } from './bulk-state.ts';
import { eachTarget, examineTarget, RunHalted, sendTarget, type LoopOptions } from './run-loop.ts';

const plan = (status: string) =>
  `{"resourceType":"CarePlan","status":"${status}","intent":"plan","subject":{"reference":"Patient/a"}}`;
const target: Target = { type: 'CarePlan', id: 'a', title: 'Plan', state: 'waiting' };

/** A server with one record; another client may write between two requests. */
function serverWith(status: string) {
  const record = { status, version: 1 };
  const sent: [body: string, etag: string | undefined][] = [];
  const client = {
    read: (): Promise<RecordVersion> =>
      Promise.resolve({ text: plan(record.status), version: record.version, etag: etagOf(record.version) }),
    patch: (_type: string, _id: string, body: string, from: WriteBase = {}): Promise<RecordVersion> => {
      sent.push([body, from.etag]);
      if (from.etag !== etagOf(record.version))
        return Promise.reject(new ApiFailure(412, undefined, record.version));
      record.status = 'active';
      record.version += 1;
      return Promise.resolve({
        text: plan('active'),
        version: record.version,
        etag: etagOf(record.version),
      });
    },
  };
  const options: LoopOptions = {
    client,
    operations: [{ path: '/status', value: '"active"' }],
    judge: { level: 'standard', today: '2026-01-01' },
  };
  return { record, sent, options };
}

test('a record is sent as the version that the dry run saw', async () => {
  const { options, sent } = serverWith('draft');
  const ready = await examineTarget(target, options);
  expect(ready).toMatchObject({ state: 'ready', version: 1, changes: [{ before: '"draft"' }] });
  expect(await sendTarget(ready, options)).toMatchObject({ state: 'done', version: 2 });
  expect(sent).toEqual([['[{"op":"replace","path":"/status","value":"active"}]', 'W/"1"']]);
});

test('a record that someone else wrote meanwhile is looked at again, and not overwritten', async () => {
  const { options, sent, record } = serverWith('draft');
  const ready = await examineTarget(target, options);
  Object.assign(record, { status: 'on-hold', version: 5 });
  const changed = await sendTarget(ready, options);
  expect(changed).toMatchObject({ state: 'changed', version: 5, changes: [{ before: '"on-hold"' }] });
  expect(record.status).toBe('on-hold');
  expect(sent).toHaveLength(1);
});

test('a patch that arrived before the connection was lost is not sent twice', async () => {
  const { options, record } = serverWith('draft');
  const ready = await examineTarget(target, options);
  Object.assign(record, { status: 'active', version: 2 });
  expect(await sendTarget(ready, options)).toMatchObject({ state: 'unchanged' });
  expect(record.version).toBe(2);
});

test('a run that is taken up again looks first: the same version is sent, another is not', async () => {
  const kept: Target = { ...target, state: 'ready', version: 1, etag: 'W/"1"' };
  const same = serverWith('draft');
  expect(await sendTarget(kept, same.options)).toMatchObject({ state: 'done', version: 2 });
  const other = serverWith('draft');
  other.record.version = 3;
  expect(await sendTarget(kept, other.options)).toMatchObject({ state: 'changed', version: 3 });
  expect(other.sent).toEqual([]);
});

test('a refusal is an outcome of the record; no answer stops the run', async () => {
  const { options } = serverWith('draft');
  const ready = await examineTarget(target, options);
  const outcome = {
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'value', details: { text: 'No.' } }],
  } as const;
  const answering = (error: Error): LoopOptions => ({
    ...options,
    client: { ...options.client, patch: () => Promise.reject(error) },
  });
  expect(await sendTarget(ready, answering(new ApiFailure(422, outcome, undefined)))).toMatchObject({
    state: 'failed',
    detail: 'No.',
  });
  const lost = new TypeError('fetch failed');
  await expect(sendTarget(ready, answering(lost))).rejects.toBe(lost);
  await expect(sendTarget(ready, answering(new ApiFailure(401, undefined, undefined)))).rejects.toThrow();
});

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
  await vi.runAllTimersAsync();
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
  await vi.runAllTimersAsync();
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
  await vi.runAllTimersAsync();
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
  await vi.runAllTimersAsync();
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

test('asked to wait, neither the dry run nor the sending makes an outcome of it', async () => {
  const { options } = serverWith('draft');
  const ready = await examineTarget(target, options);
  const waiting: LoopOptions = {
    ...options,
    client: { read: () => Promise.reject(busy(429, 5)), patch: () => Promise.reject(busy(429)) },
  };
  await expect(examineTarget(target, waiting)).rejects.toThrow(ApiFailure);
  await expect(sendTarget(ready, waiting)).rejects.toThrow(ApiFailure);
});
