import { useMemo } from 'react';
import { isUnstored } from '../../../core/fhir/new-record.ts';
import { formatPointer } from '../../../core/json/pointer.ts';
import { useConnection } from '../../platform/connection.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { useStable } from '../../ui/use-stable.ts';
import { formatRecord } from './format-record.ts';
import { refusals, type ActName, type RecordActions } from './record-actions.ts';
import { composable } from './review/save-request.ts';
import type { OpenRecord } from './use-open-record.ts';
import type { RecordTarget } from './use-record-io.ts';

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
  const standing = { hasText: state.base !== undefined, unstored: isUnstored(state.id), readOnly };
  const refused = refusals(state.phase, standing);
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
