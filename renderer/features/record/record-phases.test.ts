import { expect, test } from 'vitest';
import {
  canSend,
  isUnderReview,
  isUnsaved,
  recordReducer,
  type Phase,
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

/** A state in each phase, with the user's text where the phase can have it. */
const states: Record<Phase['name'], RecordState> = {
  loading: run(loaded, edit('Mine'), { type: 'loading' }),
  unreadable: run(loaded, edit('Mine'), { type: 'unreadable', failure: bad }),
  clean: run(loaded),
  dirty: run(loaded, edit('Mine')),
  invalid: run(loaded, { type: 'edited', text: '{' }, { type: 'weighed' }),
  reviewing: run(loaded, edit('Mine'), { type: 'review' }),
  saving: run(...sentActions),
  saved: run(...sentActions, { type: 'saved', version: version(2, 'Mine') }),
  conflict: run(...sentActions, { type: 'refused', failure: stale }),
  failed: run(...sentActions, { type: 'refused', failure: bad }),
  unconfirmed: run(...sentActions, { type: 'unanswered' }),
};

/** Resulting phase of each action, in the order of {@link states}. */
const transitions: [RecordAction, string][] = [
  [
    { type: 'loading' },
    'loading loading loading loading loading loading loading loading loading loading loading',
  ],
  [loaded, 'clean clean clean clean clean clean clean clean clean clean clean'],
  [
    { type: 'unreadable', failure: bad },
    'unreadable unreadable unreadable unreadable unreadable unreadable unreadable unreadable unreadable unreadable unreadable',
  ],
  [edit('New'), 'dirty dirty dirty dirty dirty dirty saving dirty dirty dirty dirty'],
  [
    { type: 'restored', text: '{', base: version(1) },
    'invalid invalid invalid invalid invalid invalid invalid invalid invalid invalid invalid',
  ],
  [
    { type: 'review' },
    'loading unreadable clean reviewing invalid reviewing saving saved conflict failed unconfirmed',
  ],
  [
    { type: 'send', as: 'patch' },
    'loading unreadable clean dirty invalid reviewing saving saved conflict failed unconfirmed',
  ],
  [{ type: 'keepEditing' }, 'dirty dirty clean dirty invalid dirty saving clean dirty dirty dirty'],
  [
    { type: 'sent' },
    'loading unreadable clean dirty invalid saving saving saved conflict saving unconfirmed',
  ],
  [
    { type: 'saved', version: version(2, 'Mine') },
    'saved saved saved saved saved saved saved saved saved saved saved',
  ],
  [
    { type: 'refused', failure: stale },
    'conflict conflict conflict conflict conflict conflict conflict conflict conflict conflict conflict',
  ],
  [
    { type: 'unanswered' },
    'unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed unconfirmed',
  ],
  [
    { type: 'compared', theirs: version(1) },
    'loading unreadable clean dirty invalid reviewing saving saved conflict failed unconfirmed',
  ],
  [
    { type: 'compared', theirs: version(2) },
    'loading unreadable clean dirty invalid reviewing saving saved conflict failed conflict',
  ],
  [
    { type: 'chosen', row: 0, choice: 'ours' },
    'loading unreadable clean dirty invalid reviewing saving saved conflict failed unconfirmed',
  ],
  [
    onto,
    'reviewing reviewing reviewing reviewing reviewing reviewing reviewing reviewing reviewing reviewing reviewing',
  ],
];

test.each(transitions)('changes each phase as expected on %o', (action, expected) => {
  const phases = Object.values(states).map((state) => recordReducer(state, action).phase.name);
  expect(phases.join(' ')).toBe(expected);
});

const replacingTypes = new Set(['loaded', 'saved', 'edited', 'restored', 'rebased']);
test.each(transitions.filter(([{ type }]) => !replacingTypes.has(type)))(
  'preserves the text on %o',
  (action) => {
    for (const state of Object.values(states)) expect(recordReducer(state, action).text).toBe(state.text);
  },
);

test('determines in each phase whether the text is unsaved, under review or can be sent', () => {
  const listPhases = (matches: (state: RecordState) => boolean) =>
    Object.values(states)
      .filter(matches)
      .map(({ phase }) => phase.name)
      .join(' ');
  expect(listPhases(isUnsaved)).toBe(
    'loading unreadable dirty invalid reviewing saving conflict failed unconfirmed',
  );
  expect(listPhases(({ phase }) => isUnderReview(phase))).toBe(
    'reviewing saving conflict failed unconfirmed',
  );
  expect(listPhases(canSend)).toBe('reviewing failed');
});
