import { Sheet } from '../../ui/sheet.tsx';
import { text } from '../../ui/text.ts';
import { HistoryActions, type Restore } from './history-actions.tsx';
import { HistoryDiff } from './history-diff.tsx';
import frame from '../../ui/view.module.css';
import styles from './history.module.css';
import type { VersionPair } from './history-state.ts';
import { useChosen, type Subject } from './use-history.ts';
import { VersionList } from './version-list.tsx';

interface HistorySheetProps {
  readonly subject: Subject;
  /** What the record is called. */
  readonly name: string;
  readonly pair?: VersionPair;
  readonly onRestore: Restore;
  readonly onClose: () => void;
}

/** The history with room for its differences: versions at the left, two of them side by side at the right. */
export function HistorySheet({ subject, name, pair: opened, onRestore, onClose }: HistorySheetProps) {
  const { list, chosen, current, pair } = useChosen(subject, opened);
  return (
    <Sheet
      title={text.history.titleOf(name)}
      closeLabel={text.history.close}
      closeOnClickOutside
      onClose={onClose}
    >
      <div className={frame.beside}>
        <div className={styles.side}>
          <VersionList {...list} autoFocus onShow={() => undefined} />
          {chosen !== undefined && pair && (
            <HistoryActions {...{ subject, chosen, current, pair, onRestore }} />
          )}
        </div>
        <div className={frame.column}>{pair && <HistoryDiff subject={subject} pair={pair} />}</div>
      </div>
    </Sheet>
  );
}
