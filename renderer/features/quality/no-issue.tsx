import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { QualityOverview } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { MessageNodes } from '../../ui/message-nodes.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import { useIsValidating } from './validation-progress.tsx';
import styles from './quality.module.css';
import { sumCounts } from './percentages.ts';

interface NoIssueProps {
  readonly overview: QualityOverview;
  readonly children: ReactNode;
}

/** Empty worklist: no records, or no findings. */
export function NoIssue({ overview, children }: NoIssueProps) {
  const { remote } = useConnection();
  const records = sumCounts(overview.records);
  const undecidedCount = sumCounts(overview.undecided ?? {});
  const isValidating = useIsValidating();
  // Records that are not validated yet, or can't be, are not known to conform.
  const title = isValidating || undecidedCount > 0 ? text.quality.none.titleOpen : text.quality.none.title;
  if (records === 0) {
    return (
      <div className={styles.empty}>
        <h2>{text.quality.none.records}</h2>
        <p>{text.quality.none.recordsHint}</p>
      </div>
    );
  }
  return (
    <div className={styles.empty}>
      <h2>{remote ? text.quality.remote.none : title(overview.level)}</h2>
      <p>
        <MessageNodes
          message={text.quality.none.checked(records)}
          nodes={{ time: <RelativeTime instant={overview.computed} /> }}
        />
      </p>
      {undecidedCount > 0 && <p>{text.quality.none.undecided(undecidedCount)}</p>}
      {children}
    </div>
  );
}

/** Message for a filter without findings. */
export function NoFit({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className={styles.empty}>
      <h2>{text.quality.none.match}</h2>
      <Button onClick={onClear}>{text.quality.none.clear}</Button>
    </div>
  );
}
