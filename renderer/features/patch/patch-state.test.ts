import { expect, test } from 'vitest';
import { toVersion } from '../../platform/record-version.ts';
import {
  canSend,
  isComposed,
  patchReducer,
  startPatch,
  type PatchAction,
  type PatchState,
} from './patch-state.ts';

const base = (version: number) => toVersion({ text: `{"n":${version}}`, version });
const run = (...actions: readonly PatchAction[]): PatchState =>
  actions.reduce(patchReducer, startPatch(base(1)));
const statusRow = { key: 0, path: '/status', value: '"active"' };

test('puts a picked path into the empty row, then into new rows, each path once', () => {
  const state = run(
    { type: 'picked', path: '/status' },
    { type: 'picked', path: '/intent' },
    { type: 'picked', path: '/status' },
  );
  expect(state.rows.map(({ path }) => path)).toEqual(['/status', '/intent']);
  expect(state).toMatchObject({ active: 0, picks: 3 });
});

test('restores the rows of an array that was not edited as JSON', () => {
  const brokenRow = { ...statusRow, value: '{"a":' };
  const state = run({ type: 'changed', row: brokenRow }, { type: 'showJson' }, { type: 'showRows' });
  expect(state.rows).toEqual([brokenRow]);
  expect(state.json).toBeUndefined();
});

test('converts an edited array to rows, or keeps the JSON with a reason', () => {
  const json = '[{"op":"replace","path":"/n","value":1.00}]';
  const rowState = run({ type: 'showJson' }, { type: 'jsonEdited', text: json }, { type: 'showRows' });
  expect(rowState.rows).toMatchObject([{ path: '/n', value: '1.00' }]);
  const jsonState = run({ type: 'showJson' }, { type: 'jsonEdited', text: '{}' }, { type: 'showRows' });
  expect(jsonState.json).toMatchObject({ text: '{}', refusal: expect.any(String) });
});

test('rebases the operations on a newer version', () => {
  const state = run(
    { type: 'changed', row: statusRow },
    { type: 'sent' },
    { type: 'stale', version: 2 },
    { type: 'reread', serverVersion: base(2) },
  );
  expect(state).toMatchObject({ base: { version: 2 }, rows: [statusRow], phase: { name: 'moved' } });
  expect(canSend(state.phase)).toBe(true);
});

const plan = (version: number, ...names: readonly string[]) => {
  const activity = names.map((description) => ({ detail: { description, status: 'scheduled' } }));
  return toVersion({ text: JSON.stringify({ activity }), version });
};
const secondItemRow = { key: 0, path: '/activity/1/detail/status', value: '"completed"' };
const composeAgainst = (
  newVersion: ReturnType<typeof plan>,
  ...actions: readonly PatchAction[]
): PatchState =>
  [
    { type: 'changed', row: secondItemRow } as const,
    ...actions,
    { type: 'sent' } as const,
    { type: 'stale', version: 2 } as const,
    { type: 'reread', serverVersion: newVersion } as const,
  ].reduce<PatchState>(patchReducer, startPatch(plan(1, 'Walk', 'Swim')));

test('follows the item of an operation that another client moved', () => {
  const state = composeAgainst(plan(2, 'Rest', 'Walk', 'Swim'));
  expect(state.rows).toEqual([{ ...secondItemRow, path: '/activity/2/detail/status' }]);
  expect(state.phase).toMatchObject({
    moves: [{ from: '/activity/1/detail/status', to: '/activity/2/detail/status' }],
  });
});

test('clears the path of an operation whose item another client removed', () => {
  const state = composeAgainst(plan(2, 'Walk'));
  expect(state.rows).toEqual([{ ...secondItemRow, path: '' }]);
  expect(state.phase).toMatchObject({ moves: [{ from: '/activity/1/detail/status' }] });
});

test('follows moved items in edited JSON without reformatting it', () => {
  const createText = (index: number) =>
    `[ {"op":"replace", "path":"/activity/${index}/detail/status","value":1.0}]`;
  const state = composeAgainst(
    plan(2, 'Rest', 'Walk', 'Swim'),
    { type: 'showJson' },
    { type: 'jsonEdited', text: createText(1) },
  );
  expect(state.json?.text).toBe(createText(2));
});

test('blocks resending after a lost response until the record is read', () => {
  const unanswered = run({ type: 'sent' }, { type: 'unanswered', sentResult: undefined });
  expect(canSend(unanswered.phase)).toBe(false);
  const unchangedState = patchReducer(unanswered, { type: 'reread', serverVersion: base(1) });
  expect(unchangedState.phase).toMatchObject({ name: 'unconfirmed', serverVersion: { version: 1 } });
  expect(canSend(unchangedState.phase)).toBe(true);
  const changedState = patchReducer(unanswered, { type: 'reread', serverVersion: base(2) });
  expect(changedState).toMatchObject({
    base: { version: 2 },
    phase: { name: 'moved', before: { version: 1 } },
  });
});

test('clears a rejection on the next change but keeps an unconfirmed request', () => {
  const failure = { sentences: [], status: 422 };
  const rejectedState = run({ type: 'sent' }, { type: 'refused', failure, issues: [] });
  expect(patchReducer(rejectedState, { type: 'changed', row: statusRow }).phase.name).toBe('composing');
  const unanswered = run({ type: 'sent' }, { type: 'unanswered', sentResult: undefined });
  expect(patchReducer(unanswered, { type: 'changed', row: statusRow }).phase.name).toBe('unconfirmed');
});

test('sends no second request while one is pending', () => {
  const sendingState = run({ type: 'sent' });
  expect(canSend(sendingState.phase)).toBe(false);
  expect(patchReducer(sendingState, { type: 'sent' })).toBe(sendingState);
});

test('opens at an element that a patch may replace, otherwise empty', () => {
  const listPaths = (path: string) => startPatch(base(1), path).rows.map((row) => row.path);
  expect(listPaths('/n')).toEqual(['/n']);
  for (const path of ['', '/none', '/id']) expect(listPaths(path)).toEqual(['']);
});

test('warns on close once a value is entered, in a row or as JSON', () => {
  expect(isComposed(startPatch(base(1), '/n'))).toBe(false);
  expect(isComposed(run({ type: 'changed', row: statusRow }))).toBe(true);
  expect(isComposed(run({ type: 'showJson' }))).toBe(false);
  expect(isComposed(run({ type: 'showJson' }, { type: 'jsonEdited', text: '[]' }))).toBe(true);
});
