import { useReducer } from 'react';
import { HistoryActions, type Restore } from './history-actions.tsx';
import styles from './history.module.css';
import { historyReducer, pairOf, startHistory, type VersionPair } from './history-state.ts';
import { useHistory, type Subject } from './use-history.ts';
import { VersionList } from './version-list.tsx';

interface HistoryPaneProps {
  readonly subject: Subject;
  /** Shows two versions side by side, where there is room for it. */
  readonly onCompare: (pair: VersionPair) => void;
  readonly onRestore: Restore;
}

/** The history of the open record, beside its text. */
export function HistoryPane({ subject, onCompare, onRestore }: HistoryPaneProps) {
  const [state, dispatch] = useReducer(historyReducer, undefined, () => startHistory());
  const history = useHistory(subject);
  const newest = history.versions[0]?.version;
  const chosen = state.cursor ?? newest;
  const pair = pairOf(chosen === undefined ? state : { ...state, cursor: chosen });
  return (
    <div className={styles.pane}>
      <VersionList
        subject={subject}
        history={history}
        state={state}
        dispatch={dispatch}
        onShow={() => pair && onCompare(pair)}
      />
      {chosen !== undefined && pair && (
        <HistoryActions
          {...{ subject, chosen, current: subject.version ?? newest, pair, onCompare, onRestore }}
        />
      )}
    </div>
  );
}
