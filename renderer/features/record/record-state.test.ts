import { describe, expect, test } from 'vitest';
import {
  isUnderReview,
  isUnsaved,
  openRecord,
  recordReducer,
  titleOf,
  getUnsavedText,
  type RecordAction,
  type RecordState,
} from './record-state.ts';
import {
  bad,
  edit,
  loaded,
  onto,
  run,
  sentActions,
  stale,
  version,
} from './testing/record-actions-sample.ts';

test('formats an opened record, preserves its digits and uses its title', () => {
  const state = run(loaded);
  expect(state.text).toContain('"n": 1.00');
  expect(state.text.split('\n').length).toBeGreaterThan(4);
  expect(state.phase.name).toBe('clean');
  expect(titleOf(state)).toBe('Plan');
  expect(titleOf(openRecord('CarePlan', 'a'))).toBe('a');
});

test('marks the tab dirty only if a value changed', () => {
  const getPhaseAfter = (text: string) =>
    run(loaded, { type: 'edited', text }, { type: 'weighed' }).phase.name;
  expect(run(loaded, edit('Other'), { type: 'weighed' }).phase.name).toBe('dirty');
  expect(getPhaseAfter(version(1).text.replaceAll('\n', ' '))).toBe('clean');
  expect(getPhaseAfter(version(1).text.replace('1.00', '1.0'))).toBe('dirty');
  expect(run(loaded, edit('Other'), edit('Plan')).phase.name).toBe('clean');
});

test('is unsaved after the first key', () => {
  for (const text of ['{"half', version(1).text.replaceAll('\n', ' ')]) {
    expect(isUnsaved(run(loaded, { type: 'edited', text }))).toBe(true);
  }
});

test('parses edited text when typing pauses and before the review', () => {
  const breakText: RecordAction = { type: 'edited', text: '{"half' };
  expect(run(loaded, edit('Other'), breakText, { type: 'weighed' }).phase.name).toBe('invalid');
  expect(run(loaded, edit('Other'), breakText, { type: 'review' }).phase.name).toBe('invalid');
  const repairActions = [breakText, { type: 'weighed' }, edit('Other')] as const;
  expect(run(loaded, ...repairActions).phase.name).toBe('dirty');
  expect(run(loaded, ...repairActions, { type: 'review' }).phase.name).toBe('reviewing');
  const spaced = version(1).text.replaceAll('\n', ' ');
  const revertText: RecordAction = { type: 'edited', text: spaced };
  expect(run(loaded, edit('Other'), revertText, { type: 'weighed' }).phase.name).toBe('clean');
  expect(run(...sentActions, { type: 'weighed' }).phase.name).toBe('saving');
});

test.each(['{\n  "a": 1,\n}', '{"a":1,"a":2}', ''])(
  'keeps invalid text and does not review it: %j',
  (text) => {
    const state = run(loaded, { type: 'edited', text }, { type: 'review' });
    expect(state.phase.name).toBe('invalid');
    expect(state.text).toBe(text);
    expect(isUnsaved(state)).toBe(true);
  },
);

test('is clean on the saved version after a save', () => {
  const state = run(...sentActions, { type: 'saved', version: version(2, 'Mine') });
  expect(state.phase).toEqual({ name: 'saved', version: 2 });
  expect(state.base?.version).toBe(2);
  expect(state.text).toBe(version(2, 'Mine').text);
  expect(isUnsaved(state)).toBe(false);
});

test('keeps text that was typed during a save, on the new version', () => {
  const state = run(...sentActions, edit('Later'), { type: 'saved', version: version(2, 'Mine') });
  expect(state.phase.name).toBe('dirty');
  expect(state.base?.version).toBe(2);
  expect(state.text).toBe(version(1, 'Later').text);
});

test('stays in the saving phase if the sheet is closed', () => {
  expect(run(...sentActions, { type: 'keepEditing' }).phase.name).toBe('saving');
});

test('restores a draft on the version that it began with', () => {
  const restoreDraft = (text: string, base = version(1)) => run(loaded, { type: 'restored', text, base });
  expect(restoreDraft(version(1, 'Draft').text).phase.name).toBe('dirty');
  expect(restoreDraft('{"half').phase.name).toBe('invalid');
  expect(restoreDraft('{"half').text).toBe('{"half');
  expect(restoreDraft(version(1).text).phase.name).toBe('clean');
  const older = run(
    { type: 'loaded', version: version(3) },
    { type: 'restored', text: '{}', base: version(1) },
  );
  expect(older.base?.version).toBe(1);
});

test('restores a draft of a deleted record', () => {
  const state = run(
    { type: 'unreadable', failure: { sentences: ['Gone.'], status: 410 } },
    { type: 'restored', text: version(1, 'Draft').text, base: version(1) },
  );
  expect(state.phase.name).toBe('dirty');
});

describe('a conflict', () => {
  const conflict = run(...sentActions, { type: 'refused', failure: stale });

  test('keeps the text and the current version number', () => {
    expect(conflict.phase).toEqual({ name: 'conflict', current: 2, choices: new Map() });
    expect(conflict.text).toBe(version(1, 'Mine').text);
    expect(conflict.base?.version).toBe(1);
  });

  test('uses their version for edited merges, and our text after the sheet closes', () => {
    const theirs = version(2, 'Theirs');
    const comparedState = recordReducer(conflict, { type: 'compared', theirs });
    expect(getUnsavedText(comparedState)).toEqual({ base: conflict.base, text: conflict.text });
    const editedState = recordReducer(comparedState, { type: 'mergeEdited', text: '{"both":' });
    expect(getUnsavedText(editedState)).toEqual({ base: theirs, text: '{"both":' });
    expect(recordReducer(editedState, { type: 'mergeEdited', text: undefined })).toEqual(comparedState);
    expect(getUnsavedText(recordReducer(editedState, { type: 'keepEditing' })).text).toBe(conflict.text);
  });

  test('stores their version and the choices of the merge', () => {
    const actions = [
      { type: 'compared', theirs: version(2, 'Theirs') },
      { type: 'chosen', row: 0, choice: 'theirs' },
      { type: 'chosen', row: 3, choice: 'both' },
      { type: 'chosen', row: 0, choice: 'ours' },
    ] satisfies RecordAction[];
    expect(actions.reduce<RecordState>(recordReducer, conflict).phase).toMatchObject({
      theirs: { version: 2 },
      choices: new Map([
        [0, 'ours'],
        [3, 'both'],
      ]),
    });
  });

  test('returns to the review with the merged text', () => {
    const state = recordReducer(conflict, onto);
    expect(state.phase.name).toBe('reviewing');
    expect(state.base?.version).toBe(2);
    expect(state.text).toBe(version(2, 'Merged').text);
    expect(state.rebase).toMatchObject({ method: 'merged', version: 2, theirs: 1, from: { version: 1 } });
  });

  test('returns to the editor to edit the merged text', () => {
    expect(recordReducer(conflict, { ...onto, edit: true }).phase.name).toBe('dirty');
  });

  test('is clean if their version equals the merged text', () => {
    const theirs = version(2, 'Theirs');
    expect(recordReducer(conflict, { ...onto, text: theirs.text }).phase.name).toBe('clean');
  });

  test('is mentioned in the review until a save or a read', () => {
    const state = recordReducer(conflict, onto);
    const actions = [{ type: 'keepEditing' }, { type: 'review' }] satisfies RecordAction[];
    expect(actions.reduce<RecordState>(recordReducer, state).rebase).toBeDefined();
    expect(recordReducer(state, { type: 'loaded', version: version(3) }).rebase).toBeUndefined();
    const saving = recordReducer(state, { type: 'sent' });
    expect(recordReducer(saving, { type: 'saved', version: version(3) }).rebase).toBeUndefined();
  });
});

test.each<RecordAction>([
  { type: 'refused', failure: stale },
  { type: 'refused', failure: bad },
  { type: 'refused', failure: { sentences: ['Sign in.'], status: 401 } },
  { type: 'refused', failure: { sentences: ['Gone.'], status: 410 } },
  { type: 'unanswered' },
])('keeps the text and allows editing after %o', (action) => {
  const state = run(...sentActions, action);
  expect(isUnderReview(state.phase)).toBe(true);
  expect(isUnsaved(state)).toBe(true);
  const editing = recordReducer(state, { type: 'keepEditing' });
  expect(editing.text).toBe(version(1, 'Mine').text);
  expect(editing.phase.name).toBe('dirty');
});

test('sends again after a failure, but not after a conflict or without a comparison', () => {
  const sendAgain = (...answers: RecordAction[]) =>
    run(...sentActions, ...answers, { type: 'sent' }).phase.name;
  expect(sendAgain({ type: 'refused', failure: bad })).toBe('saving');
  expect(sendAgain({ type: 'refused', failure: stale })).toBe('conflict');
  expect(sendAgain({ type: 'unanswered' })).toBe('unconfirmed');
  expect(sendAgain({ type: 'unanswered' }, { type: 'compared', theirs: version(1) })).toBe('saving');
});

test('reports a conflict if an unconfirmed save finds another version', () => {
  const { phase } = run(
    ...sentActions,
    { type: 'unanswered' },
    { type: 'compared', theirs: version(2, 'Theirs') },
  );
  expect(phase).toMatchObject({ name: 'conflict', theirs: { version: 2 } });
});

test('keeps the selected method', () => {
  const state = run(
    loaded,
    { type: 'send', as: 'patch' },
    edit('Mine'),
    { type: 'review' },
    { type: 'sent' },
  );
  expect(state.method).toBe('patch');
  expect(recordReducer(state, { type: 'saved', version: version(2) }).method).toBe('patch');
});

test('keeps the text if a reload fails', () => {
  const state = run(loaded, { type: 'loading' }, { type: 'unreadable', failure: { sentences: ['Gone.'] } });
  expect(state.base?.version).toBe(1);
  expect(isUnsaved(state)).toBe(false);
  const dirty = run(loaded, edit('Mine'), { type: 'loading' }, { type: 'unreadable', failure: bad });
  expect(dirty.text).toBe(version(1, 'Mine').text);
  expect(isUnsaved(dirty)).toBe(true);
});

test('returns the same state if nothing changes', () => {
  const opening = openRecord('CarePlan', 'a');
  expect(recordReducer(opening, { type: 'loading' })).toBe(opening);
  const dirty = run(loaded, edit('Mine'));
  expect(recordReducer(dirty, { type: 'weighed' })).toBe(dirty);
});

test('reports the newer server version until the text is merged or saved', () => {
  const createFoundAction = (now?: number): RecordAction => ({
    type: 'found',
    now: now ? version(now) : undefined,
  });
  const getServerVersion = (...actions: readonly RecordAction[]) =>
    run(loaded, edit('Mine'), ...actions).serverVersion;
  expect(getServerVersion(createFoundAction(2))).toEqual({ version: 2 });
  expect(getServerVersion(createFoundAction())).toBe('gone');
  expect(getServerVersion(createFoundAction(), createFoundAction(1))).toBeUndefined();
  expect(
    getServerVersion(createFoundAction(2), { type: 'saved', version: version(3, 'Mine') }),
  ).toBeUndefined();
  expect(getServerVersion(createFoundAction(2), { type: 'review' }, onto)).toBeUndefined();
  expect(run(loaded, createFoundAction(2)).serverVersion).toEqual({ version: 2 });
});
