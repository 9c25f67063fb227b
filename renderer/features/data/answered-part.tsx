import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toFailure } from '../../ui/failure.ts';
import { FailureMessage } from '../../ui/failure-message.tsx';
import styles from './data.module.css';

interface AnsweredPartProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  /** What is said where there is no answer. */
  readonly failed: string;
  readonly children: (answer: Answer) => ReactNode;
}

/** A part of the view that shows an answer of the server: a skeleton until it comes, and the way to ask again. */
export function AnsweredPart<Answer>({ query, failed, children }: AnsweredPartProps<Answer>) {
  if (query.data !== undefined) return <div className={styles.column}>{children(query.data)}</div>;
  if (query.isError) {
    return (
      <div className={styles.column}>
        <FailureMessage
          title={failed}
          failure={toFailure(query.error)}
          onRetry={() => void query.refetch()}
        />
      </div>
    );
  }
  return (
    <div className={styles.column} aria-hidden>
      {Array.from({ length: 6 }, (_, row) => (
        <Skeleton key={row} height={12} />
      ))}
    </div>
  );
}
