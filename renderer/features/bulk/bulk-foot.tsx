import { Button } from '@mantine/core';
import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { useSaveCsv } from '../../platform/save-file.ts';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { useIsReasonMissing } from '../../platform/people.ts';
import { sendLabel } from '../../platform/write-consent.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { canUndo, isBusy, retriesOf, type BulkState } from './bulk-state.ts';
import styles from './bulk.module.css';
import { reportOf } from './report.ts';
import type { Bulk } from './use-bulk.ts';

export interface BulkFootProps {
  readonly bulk: Bulk;
  readonly source: BulkSource | undefined;
  /** Complete operations; undefined while a row is incomplete. */
  readonly operations: readonly BulkOperation[] | undefined;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

/** Footer of the bulk sheet: the next actions, with one primary button. */
export function BulkFooter({ bulk, source, operations, onUndo, onClose }: BulkFootProps) {
  const connection = useConnection();
  const { state } = bulk;
  const { phase, isStopped, counts, targets } = state;
  const retries = retriesOf(state);
  const sends = phase === 'examined' || phase === 'running';
  const isReasonMissing = useIsReasonMissing(bulk.reason);
  const formatSendLabel = (label: string, labelOn: (host: string) => string) =>
    sendLabel(connection.remote, label, labelOn);
  return (
    <SheetFooter>
      {retries.map((retryState) => (
        <Button key={retryState} disabled={isReasonMissing} onClick={() => bulk.retry(retryState)}>
          {formatSendLabel(text.bulk.retries[retryState](counts[retryState]), (host) =>
            text.bulk.retriesOn[retryState](counts[retryState], host),
          )}
        </Button>
      ))}
      {canUndo(state) && <Button onClick={onUndo}>{text.bulk.undo.start}</Button>}
      {targets.length > 0 && !isBusy(state) && <ReportButton state={state} />}
      {source && (phase === 'examined' || (phase === 'examining' && isStopped)) && (
        <Button onClick={bulk.back}>{text.bulk.back}</Button>
      )}
      {phase === 'examined' && (
        <Button variant="filled" disabled={counts.ready === 0 || isReasonMissing} onClick={bulk.run}>
          {formatSendLabel(text.bulk.run(counts.ready), (host) => text.bulk.runOn(counts.ready, host))}
        </Button>
      )}
      {isBusy(state) && (
        <Button variant="outline" color="red" onClick={bulk.stop}>
          {text.bulk.stop}
        </Button>
      )}
      {isStopped && !state.storedRun?.undo && (
        <Button variant="filled" disabled={isReasonMissing && phase !== 'examining'} onClick={bulk.resume}>
          {phase === 'examining'
            ? text.bulk.resumeDryRun
            : formatSendLabel(text.bulk.resume, text.bulk.resumeOn)}
        </Button>
      )}
      {phase === 'compose' && source && (
        <Button
          variant="filled"
          disabled={!operations}
          onClick={() => operations && bulk.dryRun(source, operations)}
        >
          {text.bulk.dryRun}
        </Button>
      )}
      {phase === 'finished' && (
        <Button variant="filled" onClick={onClose}>
          {text.bulk.done}
        </Button>
      )}
      {sends && <span className={styles.connection}>{text.bulk.to(placeOf(connection))}</span>}
    </SheetFooter>
  );
}

function ReportButton({ state }: { readonly state: BulkState }) {
  const announce = useAnnounce();
  const saveCsv = useSaveCsv();
  function save() {
    saveCsv([reportOf(state)], 'bulk-report.csv');
    announce(text.bulk.reported(state.targets.length));
  }
  return <Button onClick={save}>{text.bulk.report}</Button>;
}
