import { useEffect, useEffectEvent, useState } from 'react';
import type { BulkToOpen } from '../../../core/app/bulk.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { WhyFields } from '../../platform/why-fields.tsx';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { BulkFoot } from './bulk-foot.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { canUndo, isBusy, sendsNext } from './bulk-state.ts';
import { wordsOf } from './bulk-words.ts';
import styles from './bulk.module.css';
import { ComposePart } from './compose-part.tsx';
import { OperationList } from './operation-fields.tsx';
import { firstRows, operationsOf } from './operation-rows.ts';
import { TargetList } from './target-list.tsx';
import { KeptLine, UndoFoot, UndoQuestion } from './undo-parts.tsx';
import { useFaults } from './use-faults.ts';
import { useBulk } from './use-bulk.ts';

interface BulkSheetProps {
  readonly bulk: BulkToOpen;
  readonly onClose: () => void;
}

/** Replaces elements in all records of a search, a worklist group or a kept run: operations, dry run, run. */
export function BulkSheet({ bulk: opened, onClose }: BulkSheetProps) {
  const bulk = useBulk();
  const { state } = bulk;
  const source = 'source' in opened ? opened.source : undefined;
  const [rows, setRows] = useState(() => firstRows(source));
  const { faultOf, sound } = useFaults(rows);
  const written = operationsOf(rows);
  const operations = sound ? written : undefined;
  const restore = useEffectEvent(bulk.restore);
  const run = 'run' in opened ? opened.run : undefined;
  useEffect(() => {
    if (run !== undefined) restore(run);
  }, [run]);

  const { openRecord } = useWorkbenchActions();
  const [asked, setAsked] = useState('run' in opened && opened.undo === true);
  const asking = asked && canUndo(state);
  const composing = state.phase === 'compose' && source !== undefined;
  return (
    <Sheet
      title={wordsOf(state).title}
      closeLabel={text.bulk.close}
      busy={isBusy(state)}
      // An Escape too many must not drop a dry run that was waited for.
      closeOnEscape={composing || state.phase === 'finished'}
      fits
      onClose={onClose}
    >
      {source && !state.kept && (
        <p className={styles.over}>
          {text.bulk.over} <strong>{source.label}</strong>
        </p>
      )}
      {state.kept && <KeptLine kept={state.kept} onOpen={isBusy(state) ? undefined : bulk.restore} />}
      {composing ? (
        <ComposePart {...{ source, rows, faultOf, operations }} onRows={setRows} />
      ) : (
        state.operations.length > 0 && <OperationList operations={state.operations} />
      )}
      {state.failure && (
        <div className={styles.notice}>
          <FailureMessage
            title={state.phase === 'running' ? text.bulk.haltedTitle : text.bulk.failedTitle}
            failure={state.failure}
          />
        </div>
      )}
      {state.phase !== 'compose' && <BulkProgress state={state} />}
      {state.targets.length > 0 && (
        <TargetList
          state={state}
          onOpen={
            isBusy(state)
              ? undefined
              : ({ type, id, title }) => {
                  onClose();
                  openRecord({ type, id, title });
                }
          }
        />
      )}
      {asking && <UndoQuestion state={state} />}
      {(asking || sendsNext(state)) && <WhyFields reason={bulk.reason} onReason={bulk.setReason} />}
      {asking ? (
        <UndoFoot bulk={bulk} onKeep={() => setAsked(false)} />
      ) : (
        <BulkFoot
          bulk={bulk}
          source={source}
          operations={operations}
          onUndo={() => setAsked(true)}
          onClose={onClose}
        />
      )}
    </Sheet>
  );
}
