import { useEffect, useEffectEvent, useState } from 'react';
import type { BulkToOpen } from '../../../core/app/bulk.ts';
import { useWorkbenchActions } from '../../platform/workbench-actions.ts';
import { WhyFields } from '../../platform/why-fields.tsx';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { BulkFoot, type BulkFootProps } from './bulk-foot.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import { canUndo, isBusy, sendsNext, type BulkState, type Target } from './bulk-state.ts';
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
  const open = ({ type, id, title }: Target) => {
    onClose();
    openRecord({ type, id, title });
  };
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
      <Over bulk={bulk} source={source} />
      {composing ? (
        <ComposePart {...{ source, rows, faultOf, operations }} onRows={setRows} />
      ) : (
        state.operations.length > 0 && <OperationList operations={state.operations} />
      )}
      <Halted state={state} />
      {state.phase !== 'compose' && <BulkProgress state={state} />}
      {state.targets.length > 0 && <TargetList state={state} onOpen={isBusy(state) ? undefined : open} />}
      {asking && <UndoQuestion state={state} />}
      {(asking || sendsNext(state)) && <WhyFields reason={bulk.reason} onReason={bulk.setReason} />}
      {asking ? (
        <UndoFoot bulk={bulk} onKeep={() => setAsked(false)} />
      ) : (
        <BulkFoot {...{ bulk, source, operations, onClose }} onUndo={() => setAsked(true)} />
      )}
    </Sheet>
  );
}

/** What the run is over, or which kept run it is. */
function Over({ bulk: { state, restore }, source }: Pick<BulkFootProps, 'bulk' | 'source'>) {
  if (state.kept) return <KeptLine kept={state.kept} onOpen={isBusy(state) ? undefined : restore} />;
  if (!source) return null;
  return (
    <p className={styles.over}>
      {text.bulk.over} <strong>{source.label}</strong>
    </p>
  );
}

function Halted({ state: { phase, failure } }: { readonly state: BulkState }) {
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
