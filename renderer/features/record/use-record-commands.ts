import { patientOf } from '../../../core/fhir/follow.ts';
import { useCommandHandlers, type CommandHandler } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import { formatRecord, type ActionName, type RecordActions } from './use-record-actions.ts';
import type { RecordTarget } from './use-record-requests.ts';
import { asEnteredInError, duplicateOf } from '../../../core/fhir/new-record.ts';
import { formatNode, type JsonObject } from '../../../core/json/node.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { inspect } from '../../platform/read-json.ts';

interface RecordCommandOptions {
  readonly target: RecordTarget;
  readonly actions: RecordActions;
  /** Prints the reading view. */
  readonly print: CommandHandler;
  /** Focuses the editor and runs one of its actions. */
  readonly onEditor: (action: string) => void;
}

/** Handles the commands on the open record while it is active. */
export function useRecordCommands(
  isActive: boolean,
  { target, actions, print, onEditor }: RecordCommandOptions,
): void {
  const { remote } = useConnection();
  const { auditOf, openPatient } = useWorkbenchActions();
  const { type, id, base } = target.state;
  const patient = base && patientOf(type, base.summary);
  const copies = useCopies(target);
  const getHandler = (name: ActionName): CommandHandler =>
    actions.disabledReasons[name] ?? (() => actions.run(name));
  // The text can be viewed in every phase.
  const getEditorHandler = (action: string): CommandHandler =>
    target.state.base
      ? // After the palette has closed, because it restores the focus.
        () => requestAnimationFrame(() => onEditor(action))
      : text.record.refusal.unread;
  useCommandHandlers(
    isActive
      ? {
          'record.review': getHandler('review'),
          'record.patch': getHandler('patch'),
          'record.history': getHandler('history'),
          'record.audit': remote ? text.record.auditLocal : () => auditOf({ type, id }),
          'record.patient': patient ? () => openPatient(patient) : text.patient.notAsked,
          // Unlike the button, the command does not move the focus.
          'record.duplicate': () => copies.duplicate(),
          'record.enteredInError': () => copies.markEnteredInError(),
          'record.print': print,
          'record.format': actions.disabledReasons.format ?? (() => formatRecord(target)),
          'record.discard': getHandler('discard'),
          'record.reload': getHandler('reload'),
          'record.outline': getEditorHandler('editor.action.quickOutline'),
          'record.follow': getEditorHandler('chartkeeper.follow'),
          'record.foldAll': getEditorHandler('editor.foldAll'),
          'record.foldElements': getEditorHandler('editor.foldLevel2'),
          'record.unfoldAll': getEditorHandler('editor.unfoldAll'),
        }
      : {},
  );
}

/** Returns the actions that copy or mark the whole record. Each announces why it is impossible. */
function useCopies({ state, dispatch }: RecordTarget) {
  const { remote } = useConnection();
  const { beginRecord } = useWorkbenchActions();
  const announce = useAnnounce();
  const { refusal } = text.record;

  /** Returns the root of the record in the editor; announces the reason if there is none. */
  function readRoot(): JsonObject | undefined {
    const inspected = inspect(state.text);
    if (!state.base) announce(refusal.unread);
    else if (!inspected.valid) announce(refusal.invalid(inspected.fault.line, inspected.fault.column));
    else if (inspected.root.kind !== 'object') announce(refusal.noObject);
    else if (remote?.mode === 'read-only') announce(refusal.readOnly(remote.name));
    else return inspected.root;
    return undefined;
  }

  return {
    duplicate() {
      const record = readRoot();
      if (!record) return;
      beginRecord(state.type, formatNode(duplicateOf(record)));
      announce(text.record.duplicated);
    },
    /** An ordinary edit that opens the review. */
    markEnteredInError() {
      const record = readRoot();
      const markedRoot = record && asEnteredInError(state.type, record);
      if (!markedRoot) {
        if (record) announce(refusal.marked);
        return;
      }
      dispatch({ type: 'edited', text: formatNode(markedRoot) });
      dispatch({ type: 'review' });
    },
  };
}
