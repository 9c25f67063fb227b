import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './log.module.css';
import frame from '../view.module.css';

/** The list while it is read for the first time. */
export function LogSkeleton() {
  return (
    <div className={frame.skeleton} aria-hidden>
      {Array.from({ length: 12 }, (_, row) => (
        <Skeleton key={row} height={12} />
      ))}
    </div>
  );
}

interface LogEmptyProps {
  readonly title: string;
  readonly detail: string;
  /** The one thing to do next. */
  readonly children?: ReactNode;
}

/** In the place of a list without entries. */
export function LogEmpty({ title, detail, children }: LogEmptyProps) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      <p>{detail}</p>
      {children}
    </div>
  );
}
