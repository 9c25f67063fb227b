import { Button } from '@mantine/core';
import { useConnection } from '../../platform/connection.ts';
import { useIsReasonMissing } from '../../platform/people.ts';
import { sendLabel } from '../../platform/write-consent.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { SheetFooter } from '../../ui/sheet-footer.tsx';
import { text } from '../../ui/text.ts';
import { isInterrupted, type BulkState, type SavedRun } from './bulk-state.ts';
import styles from './bulk.module.css';
import type { Bulk } from './use-bulk.ts';

interface KeptLineProps {
  readonly savedRun: SavedRun;
  /** Opens another saved run; undefined while this run is in progress. */
  readonly onOpen: ((run: string) => void) | undefined;
}

/** Label of the saved run, the state of its undo and links to related runs. */
export function KeptLine({
  savedRun: { label, undoes, undo, erased: erasedCount = 0 },
  onOpen,
}: KeptLineProps) {
  const undoLink = undo ? { run: undo.run, name: text.bulk.undo.open } : undefined;
  const originLink = undoes === undefined ? undefined : { run: undoes, name: text.bulk.undo.openUndone };
  return (
    <div className={styles.standing}>
      <strong>{label}</strong>
      {undo && <span>{text.bulk.undo.undone(undo.done, undo.stands)}</span>}
      {erasedCount > 0 && <span>{text.bulk.undo.erased(erasedCount)}</span>}
      {onOpen &&
        [undoLink, originLink].map(
          (link) =>
            link && (
              <LinkButton key={link.run} onClick={() => onOpen(link.run)}>
                {link.name}
              </LinkButton>
            ),
        )}
    </div>
  );
}

/** Asks before an undo and names its effect. */
export function UndoQuestion({ state }: { readonly state: BulkState }) {
  return (
    <div className={styles.undo}>
      <p>{text.bulk.undo.question(state.counts.done)}</p>
      {isInterrupted(state) && <p>{text.bulk.undo.unsure}</p>}
    </div>
  );
}

/** Footer that confirms or cancels the undo. */
export function UndoFoot({ bulk, onKeep }: { readonly bulk: Bulk; readonly onKeep: () => void }) {
  const { remote } = useConnection();
  const isReasonMissing = useIsReasonMissing(bulk.reason);
  const { done } = bulk.state.counts;
  const { confirm, confirmOn } = text.bulk.undo;
  return (
    <SheetFooter>
      <Button onClick={onKeep}>{text.bulk.undo.keep}</Button>
      <Button
        variant="filled"
        disabled={isReasonMissing}
        onClick={() => {
          onKeep();
          bulk.undo();
        }}
      >
        {sendLabel(remote, confirm(done), (host) => confirmOn(done, host))}
      </Button>
    </SheetFooter>
  );
}
