import { expect, test } from 'vitest';
import type { BulkRun, TargetState } from '../../../core/app/bulk.ts';
import {
  bulkReducer,
  canUndo,
  initialBulk,
  isBusy,
  isInterrupted,
  progressOf,
  rateOf,
  retriesOf,
  sendsNext,
  type BulkAction,
  type BulkState,
  type Target,
} from './bulk-state.ts';

const operations = [{ path: '/status', value: '"active"' }];
const target = (id: string, state: TargetState = 'waiting'): Target => ({
  ...{ type: 'CarePlan', id, title: id, state, version: 1, body: '[]' },
});
const settled = (now: number, ...states: [place: number, state: TargetState][]): BulkAction => ({
  type: 'settled',
  now,
  settled: states.map(([place, state]) => ({ place, target: target(String(place), state) })),
});
const kept: BulkRun = {
  ...{ id: 'r', label: 'All', operations, state: 'stopped', counts: {} },
  ...{ created: '2026-01-01T00:00:00.000Z', updated: '2026-01-01T00:00:00.000Z' },
};
const after = (state: BulkState, ...actions: BulkAction[]) => actions.reduce(bulkReducer, state);

const gathered = after(
  initialBulk,
  { type: 'gather', operations },
  { type: 'gathered', targets: [target('0'), target('1')] },
  { type: 'gathered', targets: [target('2'), target('3')] },
);
const examined = after(
  gathered,
  { type: 'examine' },
  settled(1, [0, 'ready'], [1, 'ready']),
  settled(2, [2, 'ready'], [3, 'refused']),
);
const running = after(examined, { type: 'run', run: kept, now: 1000 });

test('a dry run ends when no record is waiting', () => {
  expect(gathered.counts.waiting).toBe(4);
  expect(after(gathered, { type: 'examine' }).phase).toBe('examining');
  expect(examined).toMatchObject({ phase: 'examined', counts: { ready: 3, refused: 1, waiting: 0 } });
});

test('nothing is sent before the dry run has ended', () => {
  const run: BulkAction = { type: 'run', run: kept, now: 0 };
  const half = after(gathered, { type: 'examine' }, settled(1, [0, 'ready']));
  for (const state of [initialBulk, gathered, half, after(half, { type: 'stop' })]) {
    expect(bulkReducer(state, run)).toBe(state);
  }
  expect(running.phase).toBe('running');
});

test('a dry run without a ready record leads to no run', () => {
  const none = after(
    gathered,
    { type: 'examine' },
    settled(1, [0, 'unchanged'], [1, 'cannot'], [2, 'refused'], [3, 'unread']),
  );
  expect(none.phase).toBe('examined');
  expect(bulkReducer(none, { type: 'run', run: kept, now: 0 })).toBe(none);
});

test('an empty search ends its dry run at once', () => {
  expect(after(initialBulk, { type: 'gather', operations }, { type: 'examine' }).phase).toBe('examined');
});

test('progress adds up to all records, and the rate is of those that came back', () => {
  const half = after(running, settled(2000, [0, 'done'], [1, 'changed']));
  expect(progressOf(half)).toEqual({ done: 1, failed: 1, skipped: 1, remaining: 1 });
  expect(rateOf(half)).toBe(2);
  expect(rateOf(running)).toBeUndefined();
});

test('a run that stops keeps what was under way, and goes on from there', () => {
  const stopped = after(running, settled(1500, [0, 'done']), { type: 'stop' });
  expect(stopped).toMatchObject({ phase: 'running', stopped: true });
  expect(isBusy(stopped)).toBe(false);
  const late = after(stopped, settled(1600, [1, 'done']));
  expect(late).toMatchObject({ stopped: true, counts: { done: 2, ready: 1 } });
  const resumed = after(late, { type: 'resume', now: 9000 });
  expect(resumed).toMatchObject({ stopped: false, pace: { since: 9000, settled: 0 } });
  expect(after(resumed, settled(9100, [2, 'done'])).phase).toBe('finished');
});

test('what failed is tried again, and nothing else', () => {
  const finished = after(running, settled(2000, [0, 'done'], [1, 'failed'], [2, 'changed']));
  expect(finished.phase).toBe('finished');
  const again = after(finished, { type: 'retry', state: 'failed', now: 3000 });
  expect(again).toMatchObject({ phase: 'running', counts: { ready: 1, done: 1, changed: 1, refused: 1 } });
  expect(bulkReducer(again, { type: 'retry', state: 'changed', now: 0 })).toBe(again);
  expect(bulkReducer(examined, { type: 'retry', state: 'failed', now: 0 })).toBe(examined);
});

test('stopping while records are listed goes back to the operations', () => {
  expect(after(gathered, { type: 'stop' })).toEqual({ ...initialBulk, operations });
});

test('a dry run can be dropped for other operations; a run cannot', () => {
  expect(after(examined, { type: 'back' })).toEqual({ ...initialBulk, operations });
  expect(bulkReducer(running, { type: 'back' })).toBe(running);
});

test('a lost server stops the run with its words, and going on takes them away', () => {
  const lost = after(running, { type: 'failed', failure: { sentences: ['No answer.'] } });
  expect(lost).toMatchObject({ stopped: true, failure: { sentences: ['No answer.'] } });
  expect(after(lost, { type: 'resume', now: 1 })).not.toHaveProperty('failure');
});

const restored = (targets: Target[], run: Partial<BulkRun> = {}) =>
  after(initialBulk, { type: 'restored', run: { ...kept, ...run }, targets });

test('a kept run comes back stopped where records are left, and finished where none is', () => {
  expect(restored([target('0', 'done'), target('1', 'ready')])).toMatchObject({
    phase: 'running',
    stopped: true,
    counts: { done: 1, ready: 1 },
  });
  expect(restored([target('0', 'done')])).toMatchObject({ phase: 'finished', stopped: false });
});

test('a run that rests can be undone where it wrote something, and once', () => {
  const wrote = [target('0', 'done'), target('1', 'ready')];
  expect(canUndo(restored(wrote))).toBe(true);
  expect(canUndo(restored([target('0', 'done')]))).toBe(true);
  expect(canUndo(restored([target('1', 'ready')]))).toBe(false);
  expect(canUndo(after(restored(wrote), { type: 'resume', now: 1 }))).toBe(false);
  expect(canUndo(examined)).toBe(false);
  const undone = restored([...wrote, target('2', 'failed')], { undo: { run: 'u', done: 1, stands: true } });
  expect(canUndo(undone)).toBe(false);
  expect([retriesOf(undone), sendsNext(undone)]).toEqual([[], false]);
  expect(after(undone, { type: 'resume', now: 1 })).toBe(undone);
});

test('what was changed since is left by an undo, whatever else is tried again', () => {
  const rest = [target('0', 'done'), target('1', 'changed'), target('2', 'failed')];
  expect(retriesOf(restored(rest))).toEqual(['changed', 'failed']);
  expect(retriesOf(restored(rest, { undoes: 'r' }))).toEqual(['failed']);
});

test('a run that was cut short is settled before it is undone', () => {
  const cut = restored([target('0', 'ready'), target('1', 'ready')], { state: 'running' });
  expect([isInterrupted(cut), canUndo(cut)]).toEqual([true, true]);
  const settling = after(cut, { type: 'settle' });
  expect([settling.phase, isBusy(settling)]).toEqual(['settling', true]);
  expect(after(settling, settled(1, [0, 'done']), { type: 'stop' })).toMatchObject({
    ...{ phase: 'running', stopped: true, counts: { done: 1, ready: 1 } },
  });
  const lost = after(running, { type: 'failed', failure: { sentences: ['No answer.'] } });
  expect(isInterrupted(lost)).toBe(true);
  expect(bulkReducer(examined, { type: 'settle' })).toBe(examined);
});
