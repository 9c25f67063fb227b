import { Button } from '@mantine/core';
import type { BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { csvLine } from '../../../core/app/csv.ts';
import { useSaveCsv } from '../../platform/save-file.ts';
import { placeOf, useConnection } from '../../platform/connection.ts';
import { useLacksReason } from '../../platform/people.ts';
import { sendLabel } from '../../platform/write-consent.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { text } from '../../ui/text.ts';
import { stateName } from './bulk-words.ts';
import { canUndo, isBusy, retriesOf, type BulkState } from './bulk-state.ts';
import styles from './bulk.module.css';
import type { Bulk } from './use-bulk.ts';

export interface BulkFootProps {
  readonly bulk: Bulk;
  readonly source: BulkSource | undefined;
  /** What is written; absent while it is not finished. */
  readonly operations: readonly BulkOperation[] | undefined;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

/** What can be done next; one of it is primary. */
export function BulkFoot({ bulk, source, operations, onUndo, onClose }: BulkFootProps) {
  const connection = useConnection();
  const { state } = bulk;
  const { phase, stopped, counts, targets } = state;
  const retries = retriesOf(state);
  const sends = phase === 'examined' || phase === 'running';
  const lacksReason = useLacksReason(bulk.reason);
  const sending = (act: string) => sendLabel(connection.remote, act, text.consent.on);
  return (
    <SheetFoot>
      {retries.map((one) => (
        <Button key={one} disabled={lacksReason} onClick={() => bulk.retry(one)}>
          {sending(text.bulk.retries[one](counts[one]))}
        </Button>
      ))}
      {canUndo(state) && <Button onClick={onUndo}>{text.bulk.undo.start}</Button>}
      {targets.length > 0 && !isBusy(state) && <ReportButton state={state} />}
      {source && (phase === 'examined' || (phase === 'examining' && stopped)) && (
        <Button onClick={bulk.back}>{text.bulk.back}</Button>
      )}
      {phase === 'examined' && (
        <Button variant="filled" disabled={counts.ready === 0 || lacksReason} onClick={bulk.run}>
          {sending(text.bulk.run(counts.ready))}
        </Button>
      )}
      {isBusy(state) && (
        <Button variant="outline" color="red" onClick={bulk.stop}>
          {text.bulk.stop}
        </Button>
      )}
      {stopped && !state.kept?.undo && (
        <Button variant="filled" disabled={lacksReason && phase !== 'examining'} onClick={bulk.resume}>
          {phase === 'examining' ? text.bulk.resumeDryRun : sending(text.bulk.resume)}
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
    </SheetFoot>
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

/** What became of each record, as CSV. */
function reportOf(run: BulkState): string {
  const lines = run.targets.map(({ type, id, title, state, version, detail, changes = [] }) =>
    csvLine([
      type,
      id,
      title,
      stateName(run, state),
      version ?? '',
      detail ??
        changes
          .map(({ pointer, before, after }) => `${pointer}: ${before ?? ''} → ${after ?? ''}`)
          .join('; '),
    ]),
  );
  return csvLine(['type', 'id', 'title', 'outcome', 'version', 'detail']) + lines.join('');
}
