import { asEnteredInError, duplicateOf } from '../../../core/fhir/new-record.ts';
import type { JsonObject } from '../../../core/json/node.ts';
import { format } from '../../../core/json/print.ts';
import { useConnection } from '../../platform/connection.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { inspect } from '../../platform/read-json.ts';
import type { RecordTarget } from './use-record-io.ts';

/** What is made of the text of the open record as a whole; where it cannot be, that is said. */
export function useCopies({ state, modelPath, dispatch }: RecordTarget) {
  const { remote } = useConnection();
  const { beginRecord } = useWorkbenchActions();
  const announce = useAnnounce();
  const { refusal } = text.record;

  /** The record as it stands in the editor. */
  function root(): JsonObject | undefined {
    const read = inspect(state.text);
    if (!state.base) announce(refusal.unread);
    else if (!read.valid) announce(refusal.invalid(read.fault.line, read.fault.column));
    else if (read.root.kind !== 'object') announce(refusal.noObject);
    else if (remote?.mode === 'read-only') announce(refusal.readOnly(remote.name));
    else return read.root;
    return undefined;
  }

  return {
    duplicate() {
      const record = root();
      if (!record) return;
      beginRecord(state.type, format(duplicateOf(record)));
      announce(text.record.duplicated);
    },
    /** An edit like any other, under review. */
    markEnteredInError() {
      const record = root();
      const marked = record && asEnteredInError(state.type, record);
      if (!marked) {
        if (record) announce(refusal.marked);
        return;
      }
      const json = format(marked);
      replaceModelText(modelPath, json);
      dispatch({ type: 'edited', text: json });
      dispatch({ type: 'review' });
    },
  };
}
