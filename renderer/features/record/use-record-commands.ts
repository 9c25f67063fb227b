import { patientOf } from '../../../core/fhir/follow.ts';
import { useCommandHandlers, type CommandHandler } from '../../platform/commands.ts';
import { useConnection } from '../../platform/connection.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { text } from '../../ui/text.ts';
import { useCopies } from './use-copies.ts';
import { formatRecord, type ActName, type RecordActions } from './use-record-actions.ts';
import type { RecordTarget } from './use-record-io.ts';

interface CommandParts {
  readonly target: RecordTarget;
  readonly actions: RecordActions;
  /** Prints the reading view. */
  readonly print: CommandHandler;
  /** Runs one of the editor's own actions, with the focus in it. */
  readonly onEditor: (action: string) => void;
}

/** Handles the commands on the open record while it is `front`. */
export function useRecordCommands(front: boolean, { target, actions, print, onEditor }: CommandParts): void {
  const { remote } = useConnection();
  const { auditOf, openPatient } = useWorkbenchActions();
  const { type, id, base } = target.state;
  const patient = base && patientOf(type, base.summary);
  const copies = useCopies(target);
  const act = (name: ActName): CommandHandler => actions.refused[name] ?? (() => actions.run(name));
  // Whatever is being done with the record, its text can be looked at.
  const inEditor = (action: string): CommandHandler =>
    target.state.base
      ? // Once the palette is gone: it gives the focus back when it closes.
        () => requestAnimationFrame(() => onEditor(action))
      : text.record.refusal.unread;
  useCommandHandlers(
    front
      ? {
          'record.review': act('review'),
          'record.patch': act('patch'),
          'record.history': act('history'),
          'record.audit': remote ? text.record.auditLocal : () => auditOf({ type, id }),
          'record.patient': patient ? () => openPatient(patient) : text.patient.notAsked,
          // Unlike the button, it leaves the focus where it is.
          'record.duplicate': () => copies.duplicate(),
          'record.enteredInError': () => copies.markEnteredInError(),
          'record.print': print,
          'record.format': actions.refused.format ?? (() => formatRecord(target)),
          'record.discard': act('discard'),
          'record.reload': act('reload'),
          'record.outline': inEditor('editor.action.quickOutline'),
          'record.follow': inEditor('chartkeeper.follow'),
          'record.foldAll': inEditor('editor.foldAll'),
          'record.foldElements': inEditor('editor.foldLevel2'),
          'record.unfoldAll': inEditor('editor.unfoldAll'),
        }
      : {},
  );
}
