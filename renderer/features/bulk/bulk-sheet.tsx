import { useEffect, useEffectEvent, useState } from 'react';
import type { BulkToOpen, BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { WhyFields } from '../../platform/reason-fields.tsx';
import { FailureMessage, RequestFailure } from '../../ui/failure-message.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { BulkProgress } from './bulk-progress.tsx';
import { canUndo, isBusy, sendsNext, retriesOf, type BulkState, type Target } from './bulk-state.ts';
import { describeRow } from './bulk-messages.ts';
import styles from './bulk.module.css';
import { OperationList, OperationFields } from './operation-fields.tsx';
import { firstRows, operationsOf, type OperationRow } from './operation-rows.ts';
import { TargetList } from './target-list.tsx';
import { KeptLine, UndoFoot, UndoQuestion } from './undo-parts.tsx';
import { useBulk, type Bulk } from './use-bulk.ts';
import { Skeleton, Button } from '@mantine/core';
import { useQuery, useQueries } from '@tanstack/react-query';
import { useConnection, placeOf } from '../../platform/connection.ts';
import { FirstResults } from './first-results.tsx';
import { readSample } from './sample.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { faultIn } from './compute.ts';
import { useSaveCsv } from '../../platform/save-file.ts';
import { useIsReasonMissing } from '../../platform/people.ts';
import { sendLabel } from '../../platform/write-consent.ts';
import { useAnnounce } from '../../ui/status-store.ts';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { reportOf } from './report.ts';

interface BulkSheetProps {
  readonly bulk: BulkToOpen;
  readonly onClose: () => void;
}

/** Replaces elements in all records of a search, worklist group or saved run: operations, dry run, run. */
export function BulkSheet({ bulk: target, onClose }: BulkSheetProps) {
  const bulk = useBulk();
  const { state } = bulk;
  const source = 'source' in target ? target.source : undefined;
  const [rows, setRows] = useState(() => firstRows(source));
  const { faultOf, sound } = useFaults(rows);
  const rowOperations = operationsOf(rows);
  const operations = sound ? rowOperations : undefined;
  const restore = useEffectEvent(bulk.restore);
  const run = 'run' in target ? target.run : undefined;
  useEffect(() => {
    if (run !== undefined) restore(run);
  }, [run]);

  const { openRecord } = useWorkbenchActions();
  const handleOpen = ({ type, id, title }: Target) => {
    onClose();
    openRecord({ type, id, title });
  };
  const [isUndoRequested, setUndoRequested] = useState('run' in target && target.undo === true);
  const isUndoPending = isUndoRequested && canUndo(state);
  const isComposing = state.phase === 'compose' && source !== undefined;
  return (
    <Sheet
      title={describeRow(state).title}
      closeLabel={text.bulk.close}
      busy={isBusy(state)}
      // A second Escape must not discard a finished dry run.
      closeOnEscape={isComposing || state.phase === 'finished'}
      fits
      onClose={onClose}
    >
      <RunSubject bulk={bulk} source={source} />
      {isComposing ? (
        <ComposePart source={source} rows={rows} faultOf={faultOf} operations={operations} onRows={setRows} />
      ) : (
        state.operations.length > 0 && <OperationList operations={state.operations} />
      )}
      <HaltBanner state={state} />
      {state.phase !== 'compose' && <BulkProgress state={state} />}
      {state.targets.length > 0 && (
        <TargetList state={state} onOpen={isBusy(state) ? undefined : handleOpen} />
      )}
      {isUndoPending && <UndoQuestion state={state} />}
      {(isUndoPending || sendsNext(state)) && <WhyFields reason={bulk.reason} onReason={bulk.setReason} />}
      {isUndoPending ? (
        <UndoFoot bulk={bulk} onKeep={() => setUndoRequested(false)} />
      ) : (
        <BulkFooter
          bulk={bulk}
          source={source}
          operations={operations}
          onClose={onClose}
          onUndo={() => setUndoRequested(true)}
        />
      )}
    </Sheet>
  );
}

/** Shows the source of the run, or the saved run. */
function RunSubject({ bulk: { state, restore }, source }: Pick<BulkFootProps, 'bulk' | 'source'>) {
  if (state.storedRun)
    return <KeptLine savedRun={state.storedRun} onOpen={isBusy(state) ? undefined : restore} />;
  if (!source) return null;
  return (
    <p className={styles.over}>
      {text.bulk.over} <strong>{source.label}</strong>
    </p>
  );
}

function HaltBanner({ state: { phase, failure } }: { readonly state: BulkState }) {
  if (!failure) return null;
  return (
    <div className={styles.notice}>
      <FailureMessage
        title={phase === 'compose' ? text.bulk.failedTitle : text.bulk.haltedTitle}
        failure={failure}
      />
    </div>
  );
}

interface ComposePartProps {
  readonly source: BulkSource;
  readonly rows: readonly OperationRow[];
  readonly onRows: (rows: readonly OperationRow[]) => void;
  readonly faultOf: (expression: string) => string | undefined;
  /** Complete operations; undefined while a row is incomplete. */
  readonly operations: readonly BulkOperation[] | undefined;
}

/** Operation rows with the current values and a preview of the first records. */
export function ComposePart({ source, rows, onRows, faultOf, operations }: ComposePartProps) {
  const { client, name } = useConnection();
  const sample = useQuery({
    queryKey: ['bulk sample', name, source],
    queryFn: () => readSample(client, source),
    gcTime: 0,
  });
  return (
    <div className={styles.compose}>
      <OperationFields rows={rows} onChange={onRows} faultOf={faultOf} sample={sample.data} />
      {sample.isPending && (
        <Skeleton className={styles.sampling} height={16} aria-label={text.bulk.sampling} />
      )}
      {sample.isError && (
        <div className={styles.notice}>
          <RequestFailure title={text.bulk.notSampled} query={sample} />
        </div>
      )}
      {sample.data && operations && <FirstResults sample={sample.data} operations={operations} />}
    </div>
  );
}

/** Pause in typing before an expression is parsed, in milliseconds. */
const typingPause = 200;

/** Returns the parse errors of the expressions in the rows, and if all of them can be parsed. */
export function useFaults(rows: readonly OperationRow[]) {
  const expressions = rows.flatMap(({ kind, expression }) =>
    kind === 'compute' && expression.trim() !== '' ? [expression.trim()] : [],
  );
  const [debouncedText] = useDebouncedValue(expressions.join('\n\0'), typingPause);
  const debouncedExpressions = debouncedText === '' ? [] : debouncedText.split('\n\0');
  const answers = useQueries({
    queries: debouncedExpressions.map((expression) => ({
      queryKey: ['bulk fault', expression],
      // Query results must not be undefined.
      queryFn: async () => (await faultIn(expression)) ?? '',
      staleTime: Infinity,
    })),
  });
  const faults = new Map(debouncedExpressions.map((expression, index) => [expression, answers[index]?.data]));
  return {
    faultOf: (expression: string) => {
      const fault = faults.get(expression);
      return fault === '' ? undefined : fault;
    },
    sound: expressions.every((expression) => faults.get(expression) === ''),
  };
}

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
