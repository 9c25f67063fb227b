import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toFailure } from './failure.ts';
import { RequestFailure } from './failure-message.tsx';
import { text } from './text.ts';
import frame from './view.module.css';

interface QueryContentProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  /** Title of the error message. */
  readonly failureTitle: string;
  /** Name of the feature, if an older server may not have it. */
  readonly featureName?: string;
  readonly children: (answer: Answer) => ReactNode;
}

/** Part of a view that shows a query: a skeleton while it loads, and a retry after a failure. */
export function QueryContent<Answer>({
  query,
  failureTitle,
  featureName,
  children,
}: QueryContentProps<Answer>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    if (featureName !== undefined && toFailure(query.error).status === 404)
      return <NotOffered offer={featureName} />;
    return <RequestFailure hasPadding title={failureTitle} query={query} />;
  }
  return <SkeletonRows count={6} />;
}

/** Placeholder rows while loading. */
export function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <div className={frame.skeleton} aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} height={12} />
      ))}
    </div>
  );
}

/** Shown in place of a feature that an older server does not have. */
function NotOffered({ offer }: { readonly offer: string }) {
  return (
    <div className={frame.notOffered}>
      <h2>{text.failure.notOffered(offer)}</h2>
      <p>{text.failure.notOfferedDetail}</p>
    </div>
  );
}
