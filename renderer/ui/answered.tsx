import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { toFailure } from './failure.ts';
import { RequestFailure } from './failure-message.tsx';
import { text } from './text.ts';
import frame from './view.module.css';

interface AnsweredProps<Answer> {
  readonly query: UseQueryResult<Answer>;
  /** What is said where there is no answer. */
  readonly failed: string;
  /** What it is called, where the server may be one that does not have it. */
  readonly offer?: string;
  readonly children: (answer: Answer) => ReactNode;
}

/** A part of a view that shows an answer of the server: a skeleton until it comes, and the way to ask again. */
export function Answered<Answer>({ query, failed, offer, children }: AnsweredProps<Answer>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) {
    if (offer !== undefined && toFailure(query.error).status === 404) return <NotOffered offer={offer} />;
    return <RequestFailure padded title={failed} of={query} />;
  }
  return <SkeletonRows count={6} />;
}

/** Rows that are being read. */
export function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <div className={frame.skeleton} aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} height={12} />
      ))}
    </div>
  );
}

/** In the place of what an older server knows nothing of. */
function NotOffered({ offer }: { readonly offer: string }) {
  return (
    <div className={frame.notOffered}>
      <h2>{text.failure.notOffered(offer)}</h2>
      <p>{text.failure.notOfferedDetail}</p>
    </div>
  );
}
