import { Button } from '@mantine/core';
import { useConnection } from '../../platform/connection.ts';
import { useLacksReason } from '../../platform/people.ts';
import { sendLabel } from '../../platform/write-consent.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SheetFoot } from '../../ui/sheet-foot.tsx';
import { text } from '../../ui/text.ts';
import { isInterrupted, type BulkState, type KeptRun } from './bulk-state.ts';
import styles from './bulk.module.css';
import type { Bulk } from './use-bulk.ts';

interface KeptLineProps {
  readonly kept: KeptRun;
  /** Opens another kept run; absent while this one is under way. */
  readonly onOpen: ((run: string) => void) | undefined;
}

/** Which run this is: what it was over, whether it was undone, and the way to its other side. */
export function KeptLine({ kept: { label, undoes, undo, erased = 0 }, onOpen }: KeptLineProps) {
  const other = undo ? { run: undo.run, name: text.bulk.undo.open } : undefined;
  const origin = undoes === undefined ? undefined : { run: undoes, name: text.bulk.undo.openUndone };
  return (
    <div className={styles.standing}>
      <strong>{label}</strong>
      {undo && <span>{text.bulk.undo.undone(undo.done, undo.stands)}</span>}
      {erased > 0 && <span>{text.bulk.undo.erased(erased)}</span>}
      {onOpen &&
        [other, origin].map(
          (one) =>
            one && (
              <LinkButton key={one.run} onClick={() => onOpen(one.run)}>
                {one.name}
              </LinkButton>
            ),
        )}
    </div>
  );
}

/** What an undo would do. */
export function UndoQuestion({ state }: { readonly state: BulkState }) {
  return (
    <div className={styles.undo}>
      <p>{text.bulk.undo.question(state.counts.done)}</p>
      {isInterrupted(state) && <p>{text.bulk.undo.unsure}</p>}
    </div>
  );
}

interface UndoFootProps {
  readonly bulk: Bulk;
  readonly onKeep: () => void;
}

/** Whether the run is undone. */
export function UndoFoot({ bulk, onKeep }: UndoFootProps) {
  const { remote } = useConnection();
  const lacksReason = useLacksReason(bulk.reason);
  const confirm = text.bulk.undo.confirm(bulk.state.counts.done);
  return (
    <SheetFoot>
      <Button onClick={onKeep}>{text.bulk.undo.keep}</Button>
      <Button
        variant="filled"
        disabled={lacksReason}
        onClick={() => {
          onKeep();
          bulk.undo();
        }}
      >
        {sendLabel(remote, confirm, text.consent.on)}
      </Button>
    </SheetFoot>
  );
}
