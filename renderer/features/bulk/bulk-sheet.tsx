import { useEffect, useEffectEvent, useState } from 'react';
import type { BulkToOpen, BulkOperation, BulkSource } from '../../../core/app/bulk.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { WhyFields } from '../../platform/reason-fields.tsx';
import { FailureMessage, RequestFailure } from '../../ui/failure-message.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { BulkFooter, type BulkFootProps } from './bulk-foot.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { canUndo, isBusy, sendsNext, type BulkState, type Target } from './bulk-state.ts';
import { describeRow } from './bulk-messages.ts';
import styles from './bulk.module.css';
import { OperationList, OperationFields } from './operation-fields.tsx';
import { firstRows, operationsOf, type OperationRow } from './operation-rows.ts';
import { TargetList } from './target-list.tsx';
import { KeptLine, UndoFoot, UndoQuestion } from './undo-parts.tsx';
import { useBulk } from './use-bulk.ts';
import { Skeleton } from '@mantine/core';
import { useQuery, useQueries } from '@tanstack/react-query';
import { useConnection } from '../../platform/connection.ts';
import { FirstResults } from './first-results.tsx';
import { readSample } from './sample.ts';
import { useDebouncedValue } from '@mantine/hooks';
import { faultIn } from './compute.ts';

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
