import { useMemo } from 'react';
import { isNewRecord } from '../../../core/fhir/new-record.ts';
import { formatPointer } from '../../../core/json/pointer.ts';
import { formatNode } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { inspect } from '../../platform/read-json.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import type { RecordState } from './record-state.ts';
import { composable } from './review/save-request.ts';
import type { OpenRecord } from './use-open-record.ts';
import type { RecordTarget } from './use-record-requests.ts';

export type ActionName = 'format' | 'reload' | 'discard' | 'patch' | 'history' | 'review';

/** Reason why an action is disabled; no member if it is enabled. */
type DisabledReasons = Readonly<Partial<Record<ActionName, string | undefined>>>;

export interface RecordActions {
  readonly disabledReasons: DisabledReasons;
  /** Runs an action unless it is disabled. */
  readonly run: (name: ActionName) => void;
}

/** Callbacks for actions outside the record. */
export interface RecordHandlers {
  readonly target: RecordTarget;
  /** `path` is the pointer of the element at the cursor. */
  readonly onPatch: (path: string) => void;
  readonly onReload: () => void;
  readonly onDiscard: () => void;
  readonly onHistory: () => void;
}

/** Returns the actions on the open record, whether its server is read-only, and the patch composer. */
export function useRecordActions(
  { target, onPatch, onReload, onDiscard, onHistory }: RecordHandlers,
  { editor, tokens }: OpenRecord,
) {
  const { state, dispatch } = target;
  const announce = useAnnounce();
  const { remote } = useConnection();
  const readOnlyServer = remote?.mode === 'read-only' ? remote.name : undefined;
  /** Opens the composer with the operations of the edit. */
  const compose = (pointer: string) => {
    const edit = composable(state);
    // An edit that replace operations can't express is saved as a whole.
    if ('refusal' in edit && edit.refusal !== undefined) announce(edit.refusal);
    else onPatch(pointer);
  };
  const disabledReasons = listDisabledReasons(state, readOnlyServer);
  const patchAt = useStable((pointer: string) => {
    if (disabledReasons.patch === undefined) compose(pointer);
    else announce(disabledReasons.patch);
  });
  const actions = useActions(disabledReasons, announce, {
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
  return { actions, readOnly: readOnlyServer !== undefined, patchAt };
}

/** Returns the actions. The object changes only when an action is enabled or disabled, not at each key. */
function useActions(
  disabledReasons: RecordActions['disabledReasons'],
  announce: (message: string) => void,
  handlers: Record<ActionName, () => void>,
): RecordActions {
  // The buttons may be outdated, so the reason is checked again.
  const run = useStable((name: ActionName) => {
    const reason = disabledReasons[name];
    if (reason === undefined) handlers[name]();
    else announce(reason);
  });
  const { format, reload, discard, patch, history, review } = disabledReasons;
  return useMemo(
    () => ({ disabledReasons: { format, reload, discard, patch, history, review }, run }),
    [run, format, reload, discard, patch, history, review],
  );
}

/** Formats a tab's text with two spaces per level, as one undo step. Invalid JSON is unchanged. */
export function formatRecord({ state, dispatch }: RecordTarget): void {
  const inspected = inspect(state.text);
  if (inspected.valid) dispatch({ type: 'edited', text: formatNode(inspected.root) });
}

/** Returns the reasons why actions are disabled. `readOnlyServer` is the name of a read-only server. */
function listDisabledReasons(state: RecordState, readOnlyServer: string | undefined): DisabledReasons {
  if (isNewRecord(state.id)) {
    const reason = text.record.refusal.unstored;
    return { ...listPhaseReasons(state), reload: reason, patch: reason, history: reason };
  }
  if (readOnlyServer === undefined) return listPhaseReasons(state);
  const readOnlyReason = text.record.refusal.readOnly(readOnlyServer);
  return {
    ...listPhaseReasons(state),
    format: readOnlyReason,
    patch: readOnlyReason,
    review: readOnlyReason,
  };
}

function listPhaseReasons({ phase, base }: RecordState): DisabledReasons {
  const { refusal } = text.record;
  if (phase.name === 'loading') return { ...disableAll(refusal.loading), reload: refusal.loading };
  if (!base || phase.name === 'unreadable') return disableAll(refusal.unread);
  switch (phase.name) {
    case 'clean':
    case 'saved':
      return { discard: refusal.clean, review: refusal.clean };
    case 'invalid': {
      const { line, column } = phase.fault;
      const reason = refusal.invalid(line, column);
      return { format: reason, patch: reason, review: reason };
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

/** Disables every action except reload. */
function disableAll(reason: string): DisabledReasons {
  return { format: reason, discard: reason, patch: reason, history: reason, review: reason };
}
