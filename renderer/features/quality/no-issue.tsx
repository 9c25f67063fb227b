import type { ReactNode } from 'react';
import { Button } from '@mantine/core';
import type { QualityOverview } from '../../../core/app/quality.ts';
import { useConnection } from '../../platform/connection.ts';
import { formatCount } from '../../ui/format.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { text } from '../../ui/text.ts';
import { useJudging } from './judging.tsx';
import styles from './quality.module.css';
import { sumOf } from './shares.ts';

interface NoIssueProps {
  readonly overview: QualityOverview;
  readonly children: ReactNode;
}

/** The empty face of the worklist: nothing is stored, or nothing is wrong. */
export function NoIssue({ overview, children }: NoIssueProps) {
  const { remote } = useConnection();
  const records = sumOf(overview.records);
  const undecided = sumOf(overview.undecided ?? {});
  const judging = useJudging();
  // What was not looked at yet, or cannot be, is not known to conform.
  const title = judging || undecided > 0 ? text.quality.none.titleOpen : text.quality.none.title;
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
        {text.quality.none.checked(formatCount(records))} <RelativeTime instant={overview.computed} />.
      </p>
      {undecided > 0 && <p>{text.quality.undecided(undecided)}.</p>}
      {children}
    </div>
  );
}

/** Nothing is wrong under this filter. */
export function NoFit({ onClear }: { readonly onClear: () => void }) {
  return (
    <div className={styles.empty}>
      <h2>{text.quality.none.match}</h2>
      <Button onClick={onClear}>{text.quality.none.clear}</Button>
    </div>
  );
}
