import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { IssueCount } from '../../platform/visible-row-issues.ts';
import { TruncatedText } from '../../ui/truncated-text.tsx';
import { text } from '../../ui/text.ts';
import styles from './search.module.css';

const markCount = 3;

/** Size in pixels of the shapes that distinguish errors from warnings without color. */
const iconSize = 12;

/** Number of errors and warnings of a record, with a small bar that supports the numbers. */
export function IssueBar({ issues: { errors, warnings } }: { readonly issues: IssueCount }): ReactNode {
  const words = text.results.issuesOf(errors, warnings);
  return (
    <span className={styles.issues} role="img" aria-label={words}>
      <span className={styles.marks} aria-hidden>
        {Array.from({ length: markCount }, (_, index) => (
          <i
            key={index}
            data-tone={index < errors ? 'danger' : index < errors + warnings ? 'warning' : 'good'}
          />
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

/** Letters of an ID after the ellipsis in its middle. */
const idEnd = 6;

/** A name, and below it an ID that distinguishes equal names. */
export function TwoLines({ name, id }: { readonly name: string; readonly id: string }): ReactNode {
  return (
    <span className={styles.lines}>
      <span>{name}</span>
      <span className="mono">
        <CopiedId id={id} />
      </span>
    </span>
  );
}

/** An ID, truncated in its middle. A button under the pointer copies it. */
export function CopiedId({ id }: { readonly id: string }): ReactNode {
  return (
    <span className={styles.copied} data-copy={id}>
      <TruncatedText name={id} end={Math.min(idEnd, id.length)} />
    </span>
  );
}
