import { expect, test } from 'vitest';
import {
  isUnderReview,
  isUnsaved,
  openRecord,
  recordReducer,
  titleOf,
  type RecordAction,
} from './record-state.ts';
import { toVersion } from './record-version.ts';

const version = (number: number, title = 'Plan') =>
  toVersion({
    text: `{"resourceType":"CarePlan","id":"a","meta":{"versionId":"${number}"},"title":"${title}","n":1.00}`,
    version: number,
  });

const run = (...actions: RecordAction[]) => actions.reduce(recordReducer, openRecord('CarePlan', 'a'));
const loaded: RecordAction = { type: 'loaded', version: version(1) };
const edit = (title: string): RecordAction => ({ type: 'edited', text: version(1, title).text });
const stale = { sentences: ['Stale.'], status: 412, currentVersion: 2 };

test('a record opens formatted, with its digits untouched, and is called by its title', () => {
  const state = run(loaded);
  expect(state.text).toContain('"n": 1.00');
  expect(state.text.split('\n').length).toBeGreaterThan(4);
  expect(state.phase.name).toBe('clean');
  expect(titleOf(state)).toBe('Plan');
  expect(titleOf(openRecord('CarePlan', 'a'))).toBe('a');
});

test('a change of value makes it dirty, of white space alone does not', () => {
  expect(run(loaded, edit('Other')).phase.name).toBe('dirty');
  expect(run(loaded, { type: 'edited', text: version(1).text.replaceAll('\n', ' ') }).phase.name).toBe(
    'clean',
  );
  expect(run(loaded, { type: 'edited', text: version(1).text.replace('1.00', '1.0') }).phase.name).toBe(
    'dirty',
  );
  expect(run(loaded, edit('Other'), edit('Plan')).phase.name).toBe('clean');
});

test('broken JSON is invalid, says where, and cannot be reviewed', () => {
  const state = run(loaded, { type: 'edited', text: '{\n  "a": 1,\n}' }, { type: 'review' });
  expect(state.phase).toMatchObject({ name: 'invalid', fault: { line: 3, column: 1 } });
  expect(isUnsaved(state)).toBe(true);
});

test('a property name that stands twice is invalid too', () => {
  expect(run(loaded, { type: 'edited', text: '{"a":1,"a":2}' }).phase.name).toBe('invalid');
});

test('a save ends clean on the version that the server answered', () => {
  const state = run(
    loaded,
    edit('Other'),
    { type: 'review' },
    { type: 'sent' },
    { type: 'saved', version: version(2, 'Other') },
  );
  expect(state.phase).toEqual({ name: 'saved', version: 2 });
  expect(state.base?.version).toBe(2);
  expect(state.text).toBe(version(2, 'Other').text);
  expect(isUnsaved(state)).toBe(false);
});

test('nothing is sent without a review', () => {
  expect(run(loaded, edit('Other'), { type: 'sent' }).phase.name).toBe('dirty');
});

test('a conflict keeps the text; comparing and rebasing lead back to a review on their version', () => {
  const conflict = run(
    loaded,
    edit('Mine'),
    { type: 'review' },
    { type: 'sent' },
    { type: 'refused', failure: stale },
  );
  expect(conflict.phase.name).toBe('conflict');
  expect(conflict.text).toBe(version(1, 'Mine').text);
  const compared = recordReducer(conflict, { type: 'compared', theirs: version(2, 'Theirs') });
  expect(compared.phase).toMatchObject({ name: 'conflict', theirs: { version: 2 } });
  const rebased = recordReducer(compared, { type: 'rebased', onto: version(2, 'Theirs') });
  expect(rebased.phase.name).toBe('reviewing');
  expect(rebased.base?.version).toBe(2);
  expect(rebased.text).toBe(version(1, 'Mine').text);
});

test.each<RecordAction>([
  { type: 'refused', failure: stale },
  { type: 'refused', failure: { sentences: ['Bad.'], status: 400 } },
  { type: 'refused', failure: { sentences: ['Sign in.'], status: 401 } },
  { type: 'unanswered' },
])('whatever comes back, the text stays and editing goes on: %o', (answer) => {
  const state = run(loaded, edit('Mine'), { type: 'review' }, { type: 'sent' }, answer);
  expect(isUnderReview(state.phase)).toBe(true);
  expect(isUnsaved(state)).toBe(true);
  const back = recordReducer(state, { type: 'keepEditing' });
  expect(back.text).toBe(version(1, 'Mine').text);
  expect(back.phase.name).toBe('dirty');
});

test('a failed save may be sent again; a conflict may not, nor an unconfirmed one before it was compared', () => {
  const sent: RecordAction[] = [loaded, edit('Mine'), { type: 'review' }, { type: 'sent' }];
  const again = (...answers: RecordAction[]) => run(...sent, ...answers, { type: 'sent' }).phase.name;
  expect(again({ type: 'refused', failure: { sentences: ['Bad.'], status: 400 } })).toBe('saving');
  expect(again({ type: 'refused', failure: stale })).toBe('conflict');
  expect(again({ type: 'unanswered' })).toBe('unconfirmed');
  expect(again({ type: 'unanswered' }, { type: 'compared', theirs: version(2) })).toBe('unconfirmed');
  expect(again({ type: 'unanswered' }, { type: 'compared', theirs: version(1) })).toBe('saving');
});

test('a read that fails on reload keeps what was there', () => {
  const state = run(loaded, { type: 'loading' }, { type: 'unreadable', failure: { sentences: ['Gone.'] } });
  expect(state.base?.version).toBe(1);
  expect(isUnsaved(state)).toBe(false);
});
