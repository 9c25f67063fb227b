import { HistoryActions, type Restore } from './history-actions.tsx';
import frame from '../../ui/view.module.css';
import type { VersionPair } from './history-state.ts';
import { useChosen, type Subject } from './use-history.ts';
import { VersionList } from './version-list.tsx';

interface HistoryPaneProps {
  readonly subject: Subject;
  /** Compares two versions side by side, in a larger view. */
  readonly onCompare: (pair: VersionPair) => void;
  readonly onRestore: Restore;
}

/** History of the open record, next to its text. */
export function HistoryPane({ subject, onCompare, onRestore }: HistoryPaneProps) {
  const { list, selectedVersion, current, pair } = useChosen(subject);
  return (
    <div className={frame.view}>
      <VersionList {...list} onShow={() => pair && onCompare(pair)} />
      {selectedVersion !== undefined && pair && (
        <HistoryActions
          subject={subject}
          selectedVersion={selectedVersion}
          current={current}
          pair={pair}
          onCompare={onCompare}
          onRestore={onRestore}
        />
      )}
    </div>
  );
}
