import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiFailure } from '../../../../core/api/failure.ts';
import { DraftKeeper, type Unsaved } from './draft-keeper.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const unsaved = (text: string, changes: Partial<Unsaved> = {}): Unsaved => ({
  type: 'CarePlan',
  recordId: 'a',
  title: 'Plan',
  baseVersion: 1,
  base: '{}',
  text,
  ...changes,
});

/** A keeper over a server that holds drafts in a map; `fail` lets the next requests fail. */
function setUp() {
  const held = new Map<string, Partial<Unsaved>>();
  const calls: string[] = [];
  const failures: Error[] = [];
  const answer = (call: string, act: () => void) => {
    calls.push(call);
    const failure = failures.shift();
    if (failure) return Promise.reject(failure);
    act();
    return Promise.resolve();
  };
  let ids = 0;
  const keeper = new DraftKeeper({
    api: {
      save: (id, draft) => answer(`save ${id} ${draft.text}`, () => held.set(id, draft)),
      remove: (id) => answer(`remove ${id}`, () => held.delete(id)),
    },
    window: 'w',
    newId: () => `d${++ids}`,
    now: () => Date.now(),
    pause: () => 500,
  });
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);
  return { held, calls, keeper, pass, fail: (...errors: Error[]) => failures.push(...errors) };
}

test('the text is saved half a second after the last key, and not before', async () => {
  const { calls, keeper, pass } = setUp();
  keeper.keep('t', unsaved('a'));
  await pass(400);
  keeper.keep('t', unsaved('ab'));
  await pass(499);
  expect(calls).toEqual([]);
  await pass(1);
  expect(calls).toEqual(['save d1 ab']);
  expect(keeper.stateOf('t')).toMatchObject({ kind: 'saved' });
});

test('the base goes once, and again when it changes', async () => {
  const { held, keeper, pass } = setUp();
  keeper.keep('t', unsaved('a'));
  await pass(500);
  expect(held.get('d1')?.base).toBe('{}');
  keeper.keep('t', unsaved('b'));
  await pass(500);
  expect(held.get('d1')).not.toHaveProperty('base');
  keeper.keep('t', unsaved('b', { base: '{"x":1}', baseVersion: 2 }));
  await pass(500);
  expect(held.get('d1')).toMatchObject({ base: '{"x":1}', baseVersion: 2 });
});

test('leaving the window saves what waits', async () => {
  const { calls, keeper, pass } = setUp();
  keeper.keep('t', unsaved('a'));
  keeper.flush();
  await pass(0);
  expect(calls).toEqual(['save d1 a']);
  await pass(1000);
  expect(calls).toHaveLength(1);
});

test('what was saved or discarded is removed, and a later edit begins another draft', async () => {
  const { held, calls, keeper, pass } = setUp();
  keeper.keep('t', unsaved('a'));
  await pass(500);
  keeper.drop('t');
  await pass(0);
  expect([...held]).toEqual([]);
  keeper.keep('t', unsaved('b'));
  await pass(500);
  expect(calls).toEqual(['save d1 a', 'remove d1', 'save d2 b']);
});

test('a text that was taken back before it was saved is never sent', async () => {
  const { calls, keeper, pass } = setUp();
  keeper.keep('t', unsaved('a'));
  keeper.drop('t');
  await pass(1000);
  expect(calls).toEqual([]);
});

test('a save that fails is shown and sent again, with the newest text', async () => {
  const { held, keeper, pass, fail } = setUp();
  fail(new TypeError('Failed to fetch'), new ApiFailure(503, undefined, undefined));
  keeper.keep('t', unsaved('a'));
  await pass(500);
  expect(keeper.stateOf('t')).toEqual({ kind: 'failed' });
  await pass(1000);
  expect(keeper.stateOf('t')).toEqual({ kind: 'failed' });
  keeper.keep('t', unsaved('ab'));
  await pass(2000);
  expect(held.get('d1')?.text).toBe('ab');
  expect(keeper.stateOf('t')).toMatchObject({ kind: 'saved' });
});

test('a draft whose save had no answer is removed all the same', async () => {
  const { calls, keeper, pass, fail } = setUp();
  fail(new TypeError('Failed to fetch'));
  keeper.keep('t', unsaved('a'));
  await pass(500);
  keeper.drop('t');
  await pass(0);
  expect(calls).toEqual(['save d1 a', 'remove d1']);
});

test('a draft that another window goes on with is left to it; ours begins anew', async () => {
  const { held, calls, keeper, pass, fail } = setUp();
  keeper.keep('t', unsaved('a'));
  await pass(500);
  fail(new ApiFailure(409, undefined, undefined));
  keeper.keep('t', unsaved('ab'));
  await pass(500);
  expect(calls).toEqual(['save d1 a', 'save d1 ab', 'save d2 ab']);
  expect(held.get('d2')).toMatchObject({ text: 'ab', base: '{}' });
});

test('a server that forgot the base is sent it at once', async () => {
  const { held, keeper, pass, fail } = setUp();
  keeper.keep('t', unsaved('a'));
  await pass(500);
  fail(new ApiFailure(400, undefined, undefined));
  keeper.keep('t', unsaved('ab'));
  await pass(500);
  expect(held.get('d1')).toMatchObject({ text: 'ab', base: '{}' });
});

test('a draft that is let go stays on the server and is no longer ours', async () => {
  const { held, keeper, pass, fail } = setUp();
  keeper.keep('t', unsaved('a'));
  expect(keeper.owns('d1')).toBe(true);
  expect(await keeper.release('t')).toBe(true);
  expect(keeper.owns('d1')).toBe(false);
  expect(held.get('d1')?.text).toBe('a');
  keeper.drop('t');
  await pass(0);
  expect(held.has('d1')).toBe(true);
  fail(new TypeError('Failed to fetch'));
  keeper.keep('t', unsaved('b'));
  expect(await keeper.release('t')).toBe(false);
  expect(keeper.owns('d2')).toBe(true);
});

test('a claimed draft is gone on with under its own id', async () => {
  const { calls, keeper, pass } = setUp();
  keeper.adopt('t', 'old', unsaved('a'), 0);
  keeper.keep('t', unsaved('a'));
  await pass(500);
  expect(calls).toEqual([]);
  keeper.keep('t', unsaved('b'));
  await pass(500);
  expect(calls).toEqual(['save old b']);
});

test('a draft whose tab was closed before it came back stays as it is', async () => {
  const { calls, keeper, pass } = setUp();
  keeper.attend(new Set(['t']));
  expect(keeper.adopt('t', 'mine', unsaved('a'), 0)).toBe(true);
  expect(keeper.adopt('closed', 'left', unsaved('b'), 0)).toBe(false);
  expect([keeper.owns('mine'), keeper.owns('left')]).toEqual([true, false]);
  keeper.attend(new Set());
  await pass(0);
  expect(calls).toEqual(['remove mine']);
});

test('two tabs keep two drafts', async () => {
  const { held, keeper, pass } = setUp();
  keeper.keep('one', unsaved('1'));
  keeper.keep('two', unsaved('2'));
  await pass(500);
  expect([...held.values()].map(({ text }) => text)).toEqual(['1', '2']);
});

test('leaving a server saves every text at once, and leaves the drafts alone from then on', async () => {
  const { held, calls, keeper, fail } = setUp();
  keeper.keep('t', unsaved('a'));
  keeper.keep('u', unsaved('b', { recordId: 'b' }));
  fail(new Error('offline'));
  // One was not saved: nothing is left, and both go on.
  expect(await keeper.leave()).toBe(false);
  keeper.keep('u', unsaved('bc', { recordId: 'b' }));
  expect(await keeper.leave()).toBe(true);
  expect([...held.values()].map(({ text }) => text).sort()).toEqual(['a', 'bc']);
  calls.length = 0;
  keeper.drop('t');
  keeper.keep('u', unsaved('later'));
  expect(await keeper.leave()).toBe(true);
  expect(calls).toEqual([]);
});
