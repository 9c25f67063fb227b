import { useMemo } from 'react';
import { isUnstored } from '../../../core/fhir/new-record.ts';
import { formatPointer } from '../../../core/json/pointer.ts';
import { format } from '../../../core/json/print.ts';
import { useConnection } from '../../platform/connection.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { inspect } from '../../platform/read-json.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { RecordState } from './record-state.ts';
import { composable } from './review/save-request.ts';
import type { OpenRecord } from './use-open-record.ts';
import type { RecordTarget } from './use-record-io.ts';

export type ActName = 'format' | 'reload' | 'discard' | 'patch' | 'history' | 'review';

/** Why an action on the record cannot be done now; absent where it can. */
type Refusals = Readonly<Partial<Record<ActName, string | undefined>>>;

/** What can be done with the record now. */
export interface RecordActions {
  readonly refused: Refusals;
  /** Does it, where it is not refused meanwhile. */
  readonly run: (name: ActName) => void;
}

/** What is done with the record elsewhere. */
export interface RecordWays {
  readonly target: RecordTarget;
  /** `path` is that of the element at the cursor. */
  readonly onPatch: (path: string) => void;
  readonly onReload: () => void;
  readonly onDiscard: () => void;
  readonly onHistory: () => void;
}

/** What can be done with the open record, whether its server is read-only, and the composer opened at an element. */
export function useRecordActions(
  { target, onPatch, onReload, onDiscard, onHistory }: RecordWays,
  { editor, tokens }: OpenRecord,
) {
  const { state, dispatch } = target;
  const announce = useAnnounce();
  const { remote } = useConnection();
  const readOnly = remote?.mode === 'read-only' ? remote.name : undefined;
  /** With the operations of an edit. */
  const compose = (pointer: string) => {
    const edit = composable(state);
    // An edit that replace operations cannot say is saved whole.
    if ('refusal' in edit && edit.refusal !== undefined) announce(edit.refusal);
    else onPatch(pointer);
  };
  const refused = refusals(state, readOnly);
  const patchAt = useStable((pointer: string) => {
    if (refused.patch === undefined) compose(pointer);
    else announce(refused.patch);
  });
  const actions = useActions(refused, announce, {
    format: () => {
      formatRecord(target);
      editor?.focus();
    },
    reload: onReload,
    discard: onDiscard,
    patch: () => compose(formatPointer(tokens)),
    history: onHistory,
    review: () => {
      announce('');
      dispatch({ type: 'review' });
    },
  });
  return { actions, readOnly: readOnly !== undefined, patchAt };
}

/** The actions on the record, the same until one of them is refused or possible again: keys leave them alone. */
function useActions(
  refused: RecordActions['refused'],
  announce: (why: string) => void,
  runs: Record<ActName, () => void>,
): RecordActions {
  // What a button says may be a moment old.
  const run = useStable((name: ActName) => {
    const why = refused[name];
    if (why === undefined) runs[name]();
    else announce(why);
  });
  const { format, reload, discard, patch, history, review } = refused;
  return useMemo(
    () => ({ refused: { format, reload, discard, patch, history, review }, run }),
    [run, format, reload, discard, patch, history, review],
  );
}

/** Lays a tab's text out, two spaces a level, as one step that can be undone; leaves broken JSON alone. */
export function formatRecord({ state, modelPath }: RecordTarget): void {
  const read = inspect(state.text);
  if (read.valid) replaceModelText(modelPath, format(read.root));
}

/** Why each action is refused; `readOnly` names a server that nothing is sent to. */
function refusals(state: RecordState, readOnly: string | undefined): Refusals {
  if (isUnstored(state.id)) {
    const why = text.record.refusal.unstored;
    return { ...inPhase(state), reload: why, patch: why, history: why };
  }
  if (readOnly === undefined) return inPhase(state);
  const why = text.record.refusal.readOnly(readOnly);
  return { ...inPhase(state), format: why, patch: why, review: why };
}

function inPhase({ phase, base }: RecordState): Refusals {
  const { refusal } = text.record;
  if (phase.name === 'loading') return { ...unread(refusal.loading), reload: refusal.loading };
  if (!base || phase.name === 'unreadable') return unread(refusal.unread);
  switch (phase.name) {
    case 'clean':
    case 'saved':
      return { discard: refusal.clean, review: refusal.clean };
    case 'invalid': {
      const { line, column } = phase.fault;
      const why = refusal.invalid(line, column);
      return { format: why, patch: why, review: why };
    }
    case 'dirty':
      return {};
    case 'reviewing':
    case 'saving':
    case 'conflict':
    case 'failed':
    case 'unconfirmed':
      return { discard: refusal.review, patch: refusal.review };
  }
}

/** Without a text, all but to read it. */
function unread(why: string): Refusals {
  return { format: why, discard: why, patch: why, history: why, review: why };
}
