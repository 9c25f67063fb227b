import { describe, expect, test } from 'vitest';
import {
  isUnderReview,
  isUnsaved,
  openRecord,
  recordReducer,
  titleOf,
  writtenOf,
  type RecordAction,
  type RecordState,
} from './record-state.ts';
import { bad, edit, loaded, onto, run, sent, stale, version } from './testing/record-actions-sample.ts';

test('a record opens formatted, with its digits untouched, and is called by its title', () => {
  const state = run(loaded);
  expect(state.text).toContain('"n": 1.00');
  expect(state.text.split('\n').length).toBeGreaterThan(4);
  expect(state.phase.name).toBe('clean');
  expect(titleOf(state)).toBe('Plan');
  expect(titleOf(openRecord('CarePlan', 'a'))).toBe('a');
});

test('a change of value makes it dirty, of white space alone does not', () => {
  const typed = (text: string) => run(loaded, { type: 'edited', text }, { type: 'weighed' }).phase.name;
  expect(run(loaded, edit('Other'), { type: 'weighed' }).phase.name).toBe('dirty');
  expect(typed(version(1).text.replaceAll('\n', ' '))).toBe('clean');
  expect(typed(version(1).text.replace('1.00', '1.0'))).toBe('dirty');
  expect(run(loaded, edit('Other'), edit('Plan')).phase.name).toBe('clean');
});

test('the first key makes it unsaved at once, whatever it wrote', () => {
  for (const text of ['{"half', version(1).text.replaceAll('\n', ' ')]) {
    expect(isUnsaved(run(loaded, { type: 'edited', text }))).toBe(true);
  }
});

test('a text that is edited on is weighed when the keys rest, and before its review', () => {
  const broken: RecordAction = { type: 'edited', text: '{"half' };
  expect(run(loaded, edit('Other'), broken, { type: 'weighed' }).phase.name).toBe('invalid');
  expect(run(loaded, edit('Other'), broken, { type: 'review' }).phase.name).toBe('invalid');
  const mended = [broken, { type: 'weighed' }, edit('Other')] as const;
  expect(run(loaded, ...mended).phase.name).toBe('dirty');
  expect(run(loaded, ...mended, { type: 'review' }).phase.name).toBe('reviewing');
  const spaced = version(1).text.replaceAll('\n', ' ');
  const back: RecordAction = { type: 'edited', text: spaced };
  expect(run(loaded, edit('Other'), back, { type: 'weighed' }).phase.name).toBe('clean');
  expect(run(...sent, { type: 'weighed' }).phase.name).toBe('saving');
});

test.each(['{\n  "a": 1,\n}', '{"a":1,"a":2}', ''])(
  '%j is invalid, cannot be reviewed, and is kept',
  (text) => {
    const state = run(loaded, { type: 'edited', text }, { type: 'review' });
    expect(state.phase.name).toBe('invalid');
    expect(state.text).toBe(text);
    expect(isUnsaved(state)).toBe(true);
  },
);

test('a save ends clean on the version that the server answered', () => {
  const state = run(...sent, { type: 'saved', version: version(2, 'Mine') });
  expect(state.phase).toEqual({ name: 'saved', version: 2 });
  expect(state.base?.version).toBe(2);
  expect(state.text).toBe(version(2, 'Mine').text);
  expect(isUnsaved(state)).toBe(false);
});

test('what was typed while the answer was on its way stays, on the new version', () => {
  const state = run(...sent, edit('Later'), { type: 'saved', version: version(2, 'Mine') });
  expect(state.phase.name).toBe('dirty');
  expect(state.base?.version).toBe(2);
  expect(state.text).toBe(version(1, 'Later').text);
});

test('a save on its way is not left for the editor', () => {
  expect(run(...sent, { type: 'keepEditing' }).phase.name).toBe('saving');
});

test('a restored draft stands on the version that it was made on', () => {
  const restored = (text: string, base = version(1)) => run(loaded, { type: 'restored', text, base });
  expect(restored(version(1, 'Draft').text).phase.name).toBe('dirty');
  expect(restored('{"half').phase.name).toBe('invalid');
  expect(restored('{"half').text).toBe('{"half');
  expect(restored(version(1).text).phase.name).toBe('clean');
  const older = run(
    { type: 'loaded', version: version(3) },
    { type: 'restored', text: '{}', base: version(1) },
  );
  expect(older.base?.version).toBe(1);
});

test('a draft of a record that is gone is restored all the same', () => {
  const state = run(
    { type: 'unreadable', failure: { sentences: ['Gone.'], status: 410 } },
    { type: 'restored', text: version(1, 'Draft').text, base: version(1) },
  );
  expect(state.phase.name).toBe('dirty');
});

describe('a conflict', () => {
  const conflict = run(...sent, { type: 'refused', failure: stale });

  test('keeps the text and knows the version that the server holds', () => {
    expect(conflict.phase).toEqual({ name: 'conflict', current: 2, choices: new Map() });
    expect(conflict.text).toBe(version(1, 'Mine').text);
    expect(conflict.base?.version).toBe(1);
  });

  test('what is edited of the merge stands on their version, and mine comes back with the editor', () => {
    const theirs = version(2, 'Theirs');
    const read = recordReducer(conflict, { type: 'compared', theirs });
    expect(writtenOf(read)).toEqual({ base: conflict.base, text: conflict.text });
    const edited = recordReducer(read, { type: 'mergeEdited', text: '{"both":' });
    expect(writtenOf(edited)).toEqual({ base: theirs, text: '{"both":' });
    expect(recordReducer(edited, { type: 'mergeEdited', text: undefined })).toEqual(read);
    expect(writtenOf(recordReducer(edited, { type: 'keepEditing' })).text).toBe(conflict.text);
  });

  test('holds their version once it was read, and the choices one by one', () => {
    const chosen = [
      { type: 'compared', theirs: version(2, 'Theirs') },
      { type: 'chosen', row: 0, choice: 'theirs' },
      { type: 'chosen', row: 3, choice: 'both' },
      { type: 'chosen', row: 0, choice: 'mine' },
    ] satisfies RecordAction[];
    expect(chosen.reduce<RecordState>(recordReducer, conflict).phase).toMatchObject({
      theirs: { version: 2 },
      choices: new Map([
        [0, 'mine'],
        [3, 'both'],
      ]),
    });
  });

  test('leads back to the review of the merged text on their version', () => {
    const state = recordReducer(conflict, onto);
    expect(state.phase.name).toBe('reviewing');
    expect(state.base?.version).toBe(2);
    expect(state.text).toBe(version(2, 'Merged').text);
    expect(state.rebase).toMatchObject({ how: 'merged', version: 2, theirs: 1, from: { version: 1 } });
  });

  test('leads to the editor where the merged text is to be edited', () => {
    expect(recordReducer(conflict, { ...onto, edit: true }).phase.name).toBe('dirty');
  });

  test('ends clean where their version already says it', () => {
    const theirs = version(2, 'Theirs');
    expect(recordReducer(conflict, { ...onto, text: theirs.text }).phase.name).toBe('clean');
  });

  test('is told of in the review until the text is saved or another is taken', () => {
    const state = recordReducer(conflict, onto);
    const back = [{ type: 'keepEditing' }, { type: 'review' }] satisfies RecordAction[];
    expect(back.reduce<RecordState>(recordReducer, state).rebase).toBeDefined();
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
])('whatever comes back, the text stays and editing goes on: %o', (answer) => {
  const state = run(...sent, answer);
  expect(isUnderReview(state.phase)).toBe(true);
  expect(isUnsaved(state)).toBe(true);
  const back = recordReducer(state, { type: 'keepEditing' });
  expect(back.text).toBe(version(1, 'Mine').text);
  expect(back.phase.name).toBe('dirty');
});

test('a failed save may be sent again; a conflict may not, nor an unconfirmed one before it was compared', () => {
  const again = (...answers: RecordAction[]) => run(...sent, ...answers, { type: 'sent' }).phase.name;
  expect(again({ type: 'refused', failure: bad })).toBe('saving');
  expect(again({ type: 'refused', failure: stale })).toBe('conflict');
  expect(again({ type: 'unanswered' })).toBe('unconfirmed');
  expect(again({ type: 'unanswered' }, { type: 'compared', theirs: version(1) })).toBe('saving');
});

test('an unconfirmed save that finds another version is a conflict', () => {
  const { phase } = run(...sent, { type: 'unanswered' }, { type: 'compared', theirs: version(2, 'Theirs') });
  expect(phase).toMatchObject({ name: 'conflict', theirs: { version: 2 } });
});

test('how it is sent stays as chosen', () => {
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

test('a read that fails on reload keeps what was there', () => {
  const state = run(loaded, { type: 'loading' }, { type: 'unreadable', failure: { sentences: ['Gone.'] } });
  expect(state.base?.version).toBe(1);
  expect(isUnsaved(state)).toBe(false);
  const dirty = run(loaded, edit('Mine'), { type: 'loading' }, { type: 'unreadable', failure: bad });
  expect(dirty.text).toBe(version(1, 'Mine').text);
  expect(isUnsaved(dirty)).toBe(true);
});

test('what changes nothing leaves the very state, so that nothing is drawn', () => {
  const opened = openRecord('CarePlan', 'a');
  expect(recordReducer(opened, { type: 'loading' })).toBe(opened);
  const dirty = run(loaded, edit('Mine'));
  expect(recordReducer(dirty, { type: 'weighed' })).toBe(dirty);
});

test('what the server holds behind unsaved text is said until the text stands on it or is saved', () => {
  const found = (now?: number): RecordAction => ({ type: 'found', now: now ? version(now) : undefined });
  const behind = (...actions: readonly RecordAction[]) => run(loaded, edit('Mine'), ...actions).found;
  expect(behind(found(2))).toEqual({ version: 2 });
  expect(behind(found())).toBe('gone');
  expect(behind(found(), found(1))).toBeUndefined();
  expect(behind(found(2), { type: 'saved', version: version(3, 'Mine') })).toBeUndefined();
  expect(behind(found(2), { type: 'review' }, onto)).toBeUndefined();
  expect(run(loaded, found(2)).found).toEqual({ version: 2 });
});
