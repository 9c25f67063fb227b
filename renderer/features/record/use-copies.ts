import { asEnteredInError, duplicateOf } from '../../../core/fhir/new-record.ts';
import { formatNode, type JsonObject } from '../../../core/json/node.ts';
import { useConnection } from '../../platform/connection.ts';
import { replaceModelText } from '../../platform/monaco-text.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { inspect } from '../../platform/read-json.ts';
import type { RecordTarget } from './use-record-requests.ts';

/** Returns the actions that copy or mark the whole record. Each announces why it is impossible. */
export function useCopies({ state, modelPath, dispatch }: RecordTarget) {
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
      const json = formatNode(markedRoot);
      replaceModelText(modelPath, json);
      dispatch({ type: 'edited', text: json });
      dispatch({ type: 'review' });
    },
  };
}
