import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { IssueCount } from '../../platform/sight.ts';
import { Shortened } from '../../ui/shortened.tsx';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';

const marks = 3;

/** Pixels of the shapes that tell errors from warnings where colours do not. */
const iconSize = 12;

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
      {errors > 0 && (
        <span data-tone="danger">
          <IconCircleX size={iconSize} aria-hidden />
          {errors}
        </span>
      )}
      {warnings > 0 && (
        <span data-tone="warning">
          <IconAlertTriangle size={iconSize} aria-hidden />
          {warnings}
        </span>
      )}
    </span>
  );
}

/** Letters of an id that stand behind the cut in its middle. */
const idEnd = 6;

/** A name, and beneath it what tells it from others of the same name. */
export function TwoLines({ name, below }: { readonly name: string; readonly below: string }): ReactNode {
  return (
    <span className={styles.lines}>
      <span>{name}</span>
      <span className="mono">
        <CopiedId id={below} />
      </span>
    </span>
  );
}

/** An id, cut in its middle where it has no room; a button that comes with the pointer copies it. */
export function CopiedId({ id }: { readonly id: string }): ReactNode {
  return (
    <span className={styles.copied} data-copy={id}>
      <Shortened name={id} end={Math.min(idEnd, id.length)} />
    </span>
  );
}
