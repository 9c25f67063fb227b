import { Modal } from '@mantine/core';
import { useReducer } from 'react';
import { text } from '../../ui/text.ts';
import { HistoryActions, type Restore } from './history-actions.tsx';
import { HistoryDiff } from './history-diff.tsx';
import styles from './history.module.css';
import { historyReducer, pairOf, startHistory, type VersionPair } from './history-state.ts';
import { useHistory, type Subject } from './use-history.ts';
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
  const [state, dispatch] = useReducer(historyReducer, opened, startHistory);
  const history = useHistory(subject);
  const newest = history.versions[0]?.version;
  const chosen = state.cursor ?? newest;
  const pair = pairOf(chosen === undefined ? state : { ...state, cursor: chosen });
  return (
    <Modal
      opened
      onClose={onClose}
      title={text.history.titleOf(name)}
      size="calc(100vw - 64px)"
      yOffset={24}
      classNames={{
        content: styles.sheet ?? '',
        body: styles.sheetBody ?? '',
        header: styles.sheetHead ?? '',
      }}
      closeButtonProps={{ 'aria-label': text.history.close }}
    >
      <div className={styles.side}>
        <VersionList
          subject={subject}
          history={history}
          state={state}
          dispatch={dispatch}
          autoFocus
          onShow={() => undefined}
        />
        {chosen !== undefined && pair && (
          <HistoryActions {...{ subject, chosen, current: subject.version ?? newest, pair, onRestore }} />
        )}
      </div>
      <div className={styles.difference}>{pair && <HistoryDiff subject={subject} pair={pair} />}</div>
    </Modal>
  );
}
