import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../../core/api/failure.ts';
import { DraftAutosave, type UnsavedText } from './draft-autosave.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createUnsaved = (text: string, changes: Partial<UnsavedText> = {}): UnsavedText => ({
  type: 'CarePlan',
  recordId: 'a',
  title: 'Plan',
  baseVersion: 1,
  base: '{}',
  text,
  ...changes,
});

/** Creates an autosave with a server that stores drafts in a map. `fail` makes the next requests fail. */
function setUp() {
  const draftsById = new Map<string, Partial<UnsavedText>>();
  const calls: string[] = [];
  const failures: Error[] = [];
  const respond = (call: string, change: () => void) => {
    calls.push(call);
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    change();
    return Promise.resolve();
  };
  let ids = 0;
  const autosave = new DraftAutosave({
    api: {
      save: (id, draft) => respond(`save ${id} ${draft.text}`, () => draftsById.set(id, draft)),
      remove: (id) => respond(`remove ${id}`, () => draftsById.delete(id)),
    },
    window: 'w',
    newId: () => `d${++ids}`,
    now: () => Date.now(),
    getPauseMs: () => 500,
  });
  const advance = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  return {
    draftsById,
    calls,
    autosave,
    pass: advance,
    fail: (...errors: Error[]) => failures.push(...errors),
  };
}

test('saves the text half a second after the last key', async () => {
  const { calls, autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  await pass(400);
  autosave.setText('t', createUnsaved('ab'));
  await pass(499);
  expect(calls).toEqual([]);
  await pass(1);
  expect(calls).toEqual(['save d1 ab']);
  expect(autosave.stateOf('t')).toMatchObject({ kind: 'saved' });
});

test('sends the base once, and again when it changes', async () => {
  const { draftsById, autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  expect(draftsById.get('d1')?.base).toBe('{}');
  autosave.setText('t', createUnsaved('b'));
  await pass(500);
  expect(draftsById.get('d1')).not.toHaveProperty('base');
  autosave.setText('t', createUnsaved('b', { base: '{"x":1}', baseVersion: 2 }));
  await pass(500);
  expect(draftsById.get('d1')).toMatchObject({ base: '{"x":1}', baseVersion: 2 });
});

test('saves pending text on flush', async () => {
  const { calls, autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  autosave.sendPending();
  await pass(0);
  expect(calls).toEqual(['save d1 a']);
  await pass(1000);
  expect(calls).toHaveLength(1);
});

test('sends the latest text when the page is left during a request, and stored text not again', async () => {
  const { calls, autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  autosave.sendPending();
  autosave.setText('t', createUnsaved('ab'));
  // The first request has no response yet.
  autosave.sendBeforeLeaving();
  expect(calls).toEqual(['save d1 a', 'save d1 ab']);
  await pass(1000);
  const { length } = calls;
  autosave.sendBeforeLeaving();
  expect(calls).toHaveLength(length);
});

test('does not show a draft as saved while a later text waits', async () => {
  const { autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  expect(autosave.stateOf('t')).toMatchObject({ kind: 'saved' });
  autosave.setText('t', createUnsaved('ab'));
  expect(autosave.stateOf('t')).toBeUndefined();
  await pass(500);
  expect(autosave.stateOf('t')).toMatchObject({ kind: 'saved' });
});

test('removes a saved or discarded draft and starts a new one on the next edit', async () => {
  const { draftsById, calls, autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  autosave.dropDraft('t');
  await pass(0);
  expect([...draftsById]).toEqual([]);
  autosave.setText('t', createUnsaved('b'));
  await pass(500);
  expect(calls).toEqual(['save d1 a', 'remove d1', 'save d2 b']);
});

test('sends nothing if the text is reverted before the save', async () => {
  const { calls, autosave, pass } = setUp();
  autosave.setText('t', createUnsaved('a'));
  autosave.dropDraft('t');
  await pass(1000);
  expect(calls).toEqual([]);
});

test('reports a failed save and retries with the latest text', async () => {
  const { draftsById, autosave, pass, fail } = setUp();
  fail(new TypeError('Failed to fetch'), new ApiFailure(503, undefined, undefined));
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  expect(autosave.stateOf('t')).toEqual({ kind: 'failed' });
  await pass(1000);
  expect(autosave.stateOf('t')).toEqual({ kind: 'failed' });
  autosave.setText('t', createUnsaved('ab'));
  await pass(2000);
  expect(draftsById.get('d1')?.text).toBe('ab');
  expect(autosave.stateOf('t')).toMatchObject({ kind: 'saved' });
});

test('removes a draft whose save got no response', async () => {
  const { calls, autosave, pass, fail } = setUp();
  fail(new TypeError('Failed to fetch'));
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  autosave.dropDraft('t');
  await pass(0);
  expect(calls).toEqual(['save d1 a', 'remove d1']);
});

test('starts a new draft if another window has claimed the draft', async () => {
  const { draftsById, calls, autosave, pass, fail } = setUp();
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  fail(new ApiFailure(409, undefined, undefined));
  autosave.setText('t', createUnsaved('ab'));
  await pass(500);
  expect(calls).toEqual(['save d1 a', 'save d1 ab', 'save d2 ab']);
  expect(draftsById.get('d2')).toMatchObject({ text: 'ab', base: '{}' });
});

test('sends the base again if the server has lost it', async () => {
  const { draftsById, autosave, pass, fail } = setUp();
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  fail(new ApiFailure(400, undefined, undefined));
  autosave.setText('t', createUnsaved('ab'));
  await pass(500);
  expect(draftsById.get('d1')).toMatchObject({ text: 'ab', base: '{}' });
});

test('leaves a released draft on the server', async () => {
  const { draftsById, autosave, pass, fail } = setUp();
  autosave.setText('t', createUnsaved('a'));
  expect(autosave.ownsDraft('d1')).toBe(true);
  expect(await autosave.releaseDraft('t')).toBe(true);
  expect(autosave.ownsDraft('d1')).toBe(false);
  expect(draftsById.get('d1')?.text).toBe('a');
  autosave.dropDraft('t');
  await pass(0);
  expect(draftsById.has('d1')).toBe(true);
  fail(new TypeError('Failed to fetch'));
  autosave.setText('t', createUnsaved('b'));
  expect(await autosave.releaseDraft('t')).toBe(false);
  expect(autosave.ownsDraft('d2')).toBe(true);
});

test('continues a claimed draft under its own ID', async () => {
  const { calls, autosave, pass } = setUp();
  autosave.adoptDraft('t', 'old', createUnsaved('a'), 0);
  autosave.setText('t', createUnsaved('a'));
  await pass(500);
  expect(calls).toEqual([]);
  autosave.setText('t', createUnsaved('b'));
  await pass(500);
  expect(calls).toEqual(['save old b']);
});

test('leaves a draft on the server if its tab was closed before the restore', async () => {
  const { calls, autosave, pass } = setUp();
  autosave.setOpenTabs(new Set(['t']));
  expect(autosave.adoptDraft('t', 'mine', createUnsaved('a'), 0)).toBe(true);
  expect(autosave.adoptDraft('closed', 'left', createUnsaved('b'), 0)).toBe(false);
  expect([autosave.ownsDraft('mine'), autosave.ownsDraft('left')]).toEqual([true, false]);
  autosave.setOpenTabs(new Set());
  await pass(0);
  expect(calls).toEqual(['remove mine']);
});

test('keeps one draft per tab', async () => {
  const { draftsById, autosave, pass } = setUp();
  autosave.setText('one', createUnsaved('1'));
  autosave.setText('two', createUnsaved('2'));
  await pass(500);
  expect([...draftsById.values()].map(({ text }) => text)).toEqual(['1', '2']);
});

test('saves every text on leave and ignores later changes', async () => {
  const { draftsById, calls, autosave, fail } = setUp();
  autosave.setText('t', createUnsaved('a'));
  autosave.setText('u', createUnsaved('b', { recordId: 'b' }));
  fail(new Error('offline'));
  // One save failed: both drafts stay with this window.
  expect(await autosave.releaseAll()).toBe(false);
  autosave.setText('u', createUnsaved('bc', { recordId: 'b' }));
  expect(await autosave.releaseAll()).toBe(true);
  expect([...draftsById.values()].map(({ text }) => text).sort()).toEqual(['a', 'bc']);
  calls.length = 0;
  autosave.dropDraft('t');
  autosave.setText('u', createUnsaved('later'));
  expect(await autosave.releaseAll()).toBe(true);
  expect(calls).toEqual([]);
});
