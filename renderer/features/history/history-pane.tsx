import { HistoryActions, type Restore } from './history-actions.tsx';
import frame from '../../ui/view.module.css';
import type { VersionPair } from './history-state.ts';
import { useChosen, type Subject } from './use-history.ts';
import { VersionList } from './version-list.tsx';

interface HistoryPaneProps {
  readonly subject: Subject;
  /** Shows two versions side by side, where there is room for it. */
  readonly onCompare: (pair: VersionPair) => void;
  readonly onRestore: Restore;
}

/** The history of the open record, beside its text. */
export function HistoryPane({ subject, onCompare, onRestore }: HistoryPaneProps) {
  const { list, chosen, current, pair } = useChosen(subject);
  return (
    <div className={frame.view}>
      <VersionList {...list} onShow={() => pair && onCompare(pair)} />
      {chosen !== undefined && pair && (
        <HistoryActions {...{ subject, chosen, current, pair, onCompare, onRestore }} />
      )}
    </div>
  );
}
