import { Skeleton } from '@mantine/core';
import { text } from '../../ui/text.ts';
import styles from './quality.module.css';
import frame from '../../ui/view.module.css';

const rows = [0, 1, 2, 3, 4, 5, 6, 7];

/** Placeholder of the worklist while it loads. */
export function QualitySkeleton() {
  return (
    <div className={styles.view} aria-busy aria-label={text.quality.loading}>
      <div className={styles.left}>
        <RowsSkeleton />
      </div>
      <div className={styles.right}>
        <RowsSkeleton />
      </div>
    </div>
  );
}

/** Placeholder rows. */
export function RowsSkeleton() {
  return (
    <div className={frame.skeleton} aria-hidden>
      {rows.map((row) => (
        <Skeleton key={row} height={12} width={`${90 - row * 7}%`} />
      ))}
    </div>
  );
}
