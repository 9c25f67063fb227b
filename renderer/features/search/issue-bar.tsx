import type { ReactNode } from 'react';
import type { IssueCount } from '../../platform/sight.ts';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';

const marks = 3;

/** How many errors and warnings a record has: a small bar, which supports and never replaces the numbers. */
export function IssueBar({ issues: { errors, warnings } }: { readonly issues: IssueCount }): ReactNode {
  const words = text.results.issuesOf(errors, warnings);
  return (
    <span className={styles.issues} role="img" aria-label={words}>
      <span className={styles.marks} aria-hidden>
        {Array.from({ length: marks }, (_, at) => (
          <i key={at} data-tone={at < errors ? 'danger' : at < errors + warnings ? 'warning' : 'good'} />
        ))}
      </span>
      {errors > 0 && <span data-tone="danger">{errors}</span>}
      {warnings > 0 && <span data-tone="warning">{warnings}</span>}
    </span>
  );
}
