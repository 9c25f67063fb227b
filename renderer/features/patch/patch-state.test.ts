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
const written = { key: 0, path: '/status', value: '"active"' };

test('a path from the tree goes to the empty row, then to rows of its own, and never twice', () => {
  const state = run(
    { type: 'picked', path: '/status' },
    { type: 'picked', path: '/intent' },
    { type: 'picked', path: '/status' },
  );
  expect(state.rows.map(({ path }) => path)).toEqual(['/status', '/intent']);
  expect(state).toMatchObject({ active: 0, picks: 3 });
});

test('an array that was not edited as JSON comes back as the rows that it was', () => {
  const broken = { ...written, value: '{"a":' };
  const state = run({ type: 'changed', row: broken }, { type: 'showJson' }, { type: 'showRows' });
  expect(state.rows).toEqual([broken]);
  expect(state.json).toBeUndefined();
});

test('an edited array becomes rows; one that rows cannot show stays JSON and says why', () => {
  const json = '[{"op":"replace","path":"/n","value":1.00}]';
  const shown = run({ type: 'showJson' }, { type: 'jsonEdited', text: json }, { type: 'showRows' });
  expect(shown.rows).toMatchObject([{ path: '/n', value: '1.00' }]);
  const kept = run({ type: 'showJson' }, { type: 'jsonEdited', text: '{}' }, { type: 'showRows' });
  expect(kept.json).toMatchObject({ text: '{}', refusal: expect.any(String) });
});

test('a newer version becomes the base, the operations stay and can be sent for it', () => {
  const state = run(
    { type: 'changed', row: written },
    { type: 'sent' },
    { type: 'stale', version: 2 },
    { type: 'reread', found: base(2) },
  );
  expect(state).toMatchObject({ base: { version: 2 }, rows: [written], phase: { name: 'moved' } });
  expect(canSend(state.phase)).toBe(true);
});

const plan = (version: number, ...names: readonly string[]) => {
  const activity = names.map((description) => ({ detail: { description, status: 'scheduled' } }));
  return toVersion({ text: JSON.stringify({ activity }), version });
};
const second = { key: 0, path: '/activity/1/detail/status', value: '"completed"' };
const composedFor = (found: ReturnType<typeof plan>, ...actions: readonly PatchAction[]): PatchState =>
  [
    { type: 'changed', row: second } as const,
    ...actions,
    { type: 'sent' } as const,
    { type: 'stale', version: 2 } as const,
    { type: 'reread', found } as const,
  ].reduce<PatchState>(patchReducer, startPatch(plan(1, 'Walk', 'Swim')));

test('an operation stays with its item where another client moved it', () => {
  const state = composedFor(plan(2, 'Rest', 'Walk', 'Swim'));
  expect(state.rows).toEqual([{ ...second, path: '/activity/2/detail/status' }]);
  expect(state.phase).toMatchObject({
    moves: [{ from: '/activity/1/detail/status', to: '/activity/2/detail/status' }],
  });
});

test('an operation whose item another client removed has no path, so that it goes to no other item', () => {
  const state = composedFor(plan(2, 'Walk'));
  expect(state.rows).toEqual([{ ...second, path: '' }]);
  expect(state.phase).toMatchObject({ moves: [{ from: '/activity/1/detail/status' }] });
});

test('an array that was written by hand follows the items too, and is else left as it was written', () => {
  const written = (index: number) =>
    `[ {"op":"replace", "path":"/activity/${index}/detail/status","value":1.0}]`;
  const state = composedFor(
    plan(2, 'Rest', 'Walk', 'Swim'),
    { type: 'showJson' },
    { type: 'jsonEdited', text: written(1) },
  );
  expect(state.json?.text).toBe(written(2));
});

test('a sending without an answer is not repeated before the record was read', () => {
  const unanswered = run({ type: 'sent' }, { type: 'unanswered', sent: undefined });
  expect(canSend(unanswered.phase)).toBe(false);
  const same = patchReducer(unanswered, { type: 'reread', found: base(1) });
  expect(same.phase).toMatchObject({ name: 'unconfirmed', found: { version: 1 } });
  expect(canSend(same.phase)).toBe(true);
  const other = patchReducer(unanswered, { type: 'reread', found: base(2) });
  expect(other).toMatchObject({ base: { version: 2 }, phase: { name: 'moved', before: { version: 1 } } });
});

test('a refusal is over with the next change; a sending that is not confirmed stays one', () => {
  const failure = { sentences: [], status: 422 };
  const refused = run({ type: 'sent' }, { type: 'refused', failure, issues: [] });
  expect(patchReducer(refused, { type: 'changed', row: written }).phase.name).toBe('composing');
  const unanswered = run({ type: 'sent' }, { type: 'unanswered', sent: undefined });
  expect(patchReducer(unanswered, { type: 'changed', row: written }).phase.name).toBe('unconfirmed');
});

test('nothing is sent twice at once', () => {
  const sending = run({ type: 'sent' });
  expect(canSend(sending.phase)).toBe(false);
  expect(patchReducer(sending, { type: 'sent' })).toBe(sending);
});

test('it opens at an element that a patch may replace, and empty at any other', () => {
  const opened = (path: string) => startPatch(base(1), path).rows.map((row) => row.path);
  expect(opened('/n')).toEqual(['/n']);
  for (const path of ['', '/none', '/id']) expect(opened(path)).toEqual(['']);
});

test('closing loses something once a value is written, in a row or as JSON', () => {
  expect(isComposed(startPatch(base(1), '/n'))).toBe(false);
  expect(isComposed(run({ type: 'changed', row: written }))).toBe(true);
  expect(isComposed(run({ type: 'showJson' }))).toBe(false);
  expect(isComposed(run({ type: 'showJson' }, { type: 'jsonEdited', text: '[]' }))).toBe(true);
});
