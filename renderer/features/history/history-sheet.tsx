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
  readonly name: string;
  readonly initialPair?: VersionPair;
  readonly onRestore: Restore;
  readonly onClose: () => void;
}

/** History in a large sheet: versions on the left, their differences on the right. */
export function HistorySheet({ subject, name, initialPair, onRestore, onClose }: HistorySheetProps) {
  const { list, selectedVersion, current, pair } = useChosen(subject, initialPair);
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
          {selectedVersion !== undefined && pair && (
            <HistoryActions
              subject={subject}
              selectedVersion={selectedVersion}
              current={current}
              pair={pair}
              onRestore={onRestore}
            />
          )}
        </div>
        <div className={frame.column}>{pair && <HistoryDiff subject={subject} pair={pair} />}</div>
      </div>
    </Sheet>
  );
}
