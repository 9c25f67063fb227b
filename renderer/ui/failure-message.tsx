import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { toFailure, type Failure } from './failure.ts';
import { text } from './text.ts';
import styles from './ui.module.css';
import frame from './view.module.css';

interface FailureMessageProps {
  readonly title: string;
  readonly failure: Failure;
  readonly onRetry?: () => void;
  readonly children?: ReactNode;
}

/** Error state of a view: the issues, the actions, and the request id. */
export function FailureMessage({ title, failure, onRetry, children }: FailureMessageProps) {
  return (
    <div className={styles.failure} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <strong>{title}</strong>
        <ul>
          {failure.sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {children}
        {onRetry && <Button onClick={onRetry}>{text.failure.retry}</Button>}
        {failure.requestId !== undefined && (
          <p className={styles.requestId}>{text.failure.request(failure.requestId)}</p>
        )}
      </div>
    </div>
  );
}

interface RequestFailureProps {
  readonly title: string;
  /** A query, which can be sent again, or a mutation. */
  readonly query: { readonly isError: boolean; readonly error: unknown; readonly refetch?: () => unknown };
  /** True if the message is alone at the edge of a view. */
  readonly hasPadding?: boolean;
}

/** Failure of a request; renders nothing without one. */
export function RequestFailure({
  title,
  query: { isError, error, refetch },
  hasPadding,
}: RequestFailureProps) {
  if (!isError) return null;
  const retry = refetch && { onRetry: () => void refetch() };
  const message = <FailureMessage title={title} failure={toFailure(error)} {...retry} />;
  return hasPadding ? <div className={frame.padded}>{message}</div> : message;
}
