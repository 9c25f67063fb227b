import { IconFileDelta } from '@tabler/icons-react';
import { memo } from 'react';
import { useWorkbenchActions } from '../../../platform/workbench-actions.ts';
import { text } from '../../../ui/text.ts';
import { clockTime, exactTime } from '../../../ui/time.ts';
import styles from './drafts.module.css';
import { useOfferedDrafts } from './use-drafts.ts';

/** Lists the drafts without an open tab in the left panel. Each opens its record. */
export const DraftList = memo(function DraftList() {
  const drafts = useOfferedDrafts();
  const { openRecord } = useWorkbenchActions();
  if (drafts.length === 0) return null;
  return (
    <>
      <h2>{text.drafts.heading(drafts.length)}</h2>
      <ul>
        {drafts.map(({ id, type, recordId, title, saved: savedAt }) => {
          const time = clockTime(savedAt);
          return (
            <li key={id}>
              <button
                type="button"
                className={styles.item}
                title={`${type}/${recordId} · ${exactTime(savedAt)}`}
                aria-label={text.drafts.item(title, time)}
                onClick={() => openRecord({ type, id: recordId, title })}
              >
                <IconFileDelta size={14} aria-hidden />
                <span>{title}</span> <small>{time}</small>
              </button>
            </li>
          );
        })}
      </ul>
    </>
  );
});
