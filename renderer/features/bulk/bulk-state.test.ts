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
  type: 'CarePlan',
  id,
  title: id,
  state,
  version: 1,
  body: '[]',
});
const completed = (now: number, ...states: [place: number, state: TargetState][]): BulkAction => ({
  type: 'settled',
  now,
  completedTargets: states.map(([place, state]) => ({ place, target: target(String(place), state) })),
});
const savedRun: BulkRun = {
  id: 'r',
  label: 'All',
  operations,
  state: 'stopped',
  counts: {},
  created: '2026-01-01T00:00:00.000Z',
  updated: '2026-01-01T00:00:00.000Z',
};
const applyActions = (state: BulkState, ...actions: BulkAction[]) => actions.reduce(bulkReducer, state);

const gatheredState = applyActions(
  initialBulk,
  { type: 'gather', operations },
  { type: 'gathered', targets: [target('0'), target('1')] },
  { type: 'gathered', targets: [target('2'), target('3')] },
);
const examinedState = applyActions(
  gatheredState,
  { type: 'examine' },
  completed(1, [0, 'ready'], [1, 'ready']),
  completed(2, [2, 'ready'], [3, 'refused']),
);
const runningState = applyActions(examinedState, { type: 'run', run: savedRun, now: 1000 });

test('ends the dry run when no record is waiting', () => {
  expect(gatheredState.counts.waiting).toBe(4);
  expect(applyActions(gatheredState, { type: 'examine' }).phase).toBe('examining');
  expect(examinedState).toMatchObject({ phase: 'examined', counts: { ready: 3, refused: 1, waiting: 0 } });
});

test('ignores a run before the dry run has finished', () => {
  const run: BulkAction = { type: 'run', run: savedRun, now: 0 };
  const partlyExamined = applyActions(gatheredState, { type: 'examine' }, completed(1, [0, 'ready']));
  for (const state of [
    initialBulk,
    gatheredState,
    partlyExamined,
    applyActions(partlyExamined, { type: 'stop' }),
  ]) {
    expect(bulkReducer(state, run)).toBe(state);
  }
  expect(runningState.phase).toBe('running');
});

test('ignores a run if the dry run found no ready record', () => {
  const nothingReady = applyActions(
    gatheredState,
    { type: 'examine' },
    completed(1, [0, 'unchanged'], [1, 'cannot'], [2, 'refused'], [3, 'unread']),
  );
  expect(nothingReady.phase).toBe('examined');
  expect(bulkReducer(nothingReady, { type: 'run', run: savedRun, now: 0 })).toBe(nothingReady);
});

test('ends the dry run of an empty search at once', () => {
  expect(applyActions(initialBulk, { type: 'gather', operations }, { type: 'examine' }).phase).toBe(
    'examined',
  );
});

test('counts every record once and computes the rate from completed records', () => {
  const partlySent = applyActions(runningState, completed(2000, [0, 'done'], [1, 'changed']));
  expect(progressOf(partlySent)).toEqual({
    doneCount: 1,
    failedCount: 1,
    skippedCount: 1,
    remainingCount: 1,
  });
  expect(rateOf(partlySent)).toBe(2);
  expect(rateOf(runningState)).toBeUndefined();
});

test('keeps pending results of a stopped run and resumes it', () => {
  const stoppedState = applyActions(runningState, completed(1500, [0, 'done']), { type: 'stop' });
  expect(stoppedState).toMatchObject({ phase: 'running', isStopped: true });
  expect(isBusy(stoppedState)).toBe(false);
  const lateState = applyActions(stoppedState, completed(1600, [1, 'done']));
  expect(lateState).toMatchObject({ isStopped: true, counts: { done: 2, ready: 1 } });
  const resumedState = applyActions(lateState, { type: 'resume', now: 9000 });
  expect(resumedState).toMatchObject({ isStopped: false, pace: { since: 9000, completedCount: 0 } });
  expect(applyActions(resumedState, completed(9100, [2, 'done'])).phase).toBe('finished');
});

test('retries only failed records', () => {
  const finished = applyActions(runningState, completed(2000, [0, 'done'], [1, 'failed'], [2, 'changed']));
  expect(finished.phase).toBe('finished');
  const retried = applyActions(finished, { type: 'retry', state: 'failed', now: 3000 });
  expect(retried).toMatchObject({ phase: 'running', counts: { ready: 1, done: 1, changed: 1, refused: 1 } });
  expect(bulkReducer(retried, { type: 'retry', state: 'changed', now: 0 })).toBe(retried);
  expect(bulkReducer(examinedState, { type: 'retry', state: 'failed', now: 0 })).toBe(examinedState);
});

test('returns to the operations when stopped while listing records', () => {
  expect(applyActions(gatheredState, { type: 'stop' })).toEqual({ ...initialBulk, operations });
});

test('discards a dry run but not a run', () => {
  expect(applyActions(examinedState, { type: 'back' })).toEqual({ ...initialBulk, operations });
  expect(bulkReducer(runningState, { type: 'back' })).toBe(runningState);
});

test('stops the run with the message of a lost server and clears it on resume', () => {
  const haltedState = applyActions(runningState, { type: 'failed', failure: { sentences: ['No answer.'] } });
  expect(haltedState).toMatchObject({ isStopped: true, failure: { sentences: ['No answer.'] } });
  expect(applyActions(haltedState, { type: 'resume', now: 1 })).not.toHaveProperty('failure');
});

const restoreState = (targets: Target[], run: Partial<BulkRun> = {}) =>
  applyActions(initialBulk, { type: 'restored', run: { ...savedRun, ...run }, targets });

test('restores a saved run as stopped while records remain, otherwise as finished', () => {
  expect(restoreState([target('0', 'done'), target('1', 'ready')])).toMatchObject({
    phase: 'running',
    isStopped: true,
    counts: { done: 1, ready: 1 },
  });
  expect(restoreState([target('0', 'done')])).toMatchObject({ phase: 'finished', isStopped: false });
});

test('allows one undo of a run at rest that wrote something', () => {
  const writtenTargets = [target('0', 'done'), target('1', 'ready')];
  expect(canUndo(restoreState(writtenTargets))).toBe(true);
  expect(canUndo(restoreState([target('0', 'done')]))).toBe(true);
  expect(canUndo(restoreState([target('1', 'ready')]))).toBe(false);
  expect(canUndo(applyActions(restoreState(writtenTargets), { type: 'resume', now: 1 }))).toBe(false);
  expect(canUndo(examinedState)).toBe(false);
  const undoneState = restoreState([...writtenTargets, target('2', 'failed')], {
    undo: { run: 'u', done: 1, stands: true },
  });
  expect(canUndo(undoneState)).toBe(false);
  expect([retriesOf(undoneState), sendsNext(undoneState)]).toEqual([[], false]);
  expect(applyActions(undoneState, { type: 'resume', now: 1 })).toBe(undoneState);
});

test('retries failed records of an undo but not records that changed', () => {
  const targets = [target('0', 'done'), target('1', 'changed'), target('2', 'failed')];
  expect(retriesOf(restoreState(targets))).toEqual(['changed', 'failed']);
  expect(retriesOf(restoreState(targets, { undoes: 'r' }))).toEqual(['failed']);
});

test('settles an interrupted run before its undo', () => {
  const interrupted = restoreState([target('0', 'ready'), target('1', 'ready')], { state: 'running' });
  expect([isInterrupted(interrupted), canUndo(interrupted)]).toEqual([true, true]);
  const settlingState = applyActions(interrupted, { type: 'settle' });
  expect([settlingState.phase, isBusy(settlingState)]).toEqual(['settling', true]);
  expect(applyActions(settlingState, completed(1, [0, 'done']), { type: 'stop' })).toMatchObject({
    phase: 'running',
    isStopped: true,
    counts: { done: 1, ready: 1 },
  });
  const haltedState = applyActions(runningState, { type: 'failed', failure: { sentences: ['No answer.'] } });
  expect(isInterrupted(haltedState)).toBe(true);
  expect(bulkReducer(examinedState, { type: 'settle' })).toBe(examinedState);
});
