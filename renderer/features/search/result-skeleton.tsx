import { Skeleton } from '@mantine/core';
import { text } from '../../ui/text.ts';
import frame from '../../ui/view.module.css';

/** Placeholder rows while matches load. */
export function ResultSkeleton() {
  return (
    <div className={frame.skeleton} aria-busy="true" aria-label={text.results.loading} role="img">
      {Array.from({ length: 12 }, (_, index) => (
        <Skeleton key={index} height={12} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  );
}
