import { Button, Modal } from '@mantine/core';
import { Component, useState, type ReactNode } from 'react';
import { FailureMessage } from './failure-message.tsx';
import { LoadFailure } from './lazy-module.ts';
import { text } from './text.ts';
import styles from './view.module.css';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** Closes the dialog that the children are. The error is shown as a dialog too. */
  readonly onClose?: () => void;
}

interface ErrorBoundaryState {
  readonly failed: boolean;
  readonly error?: unknown;
}

/** Shows a render error inside its view, so that the frame and the edits of other tabs survive. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override readonly state: ErrorBoundaryState = { failed: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failed: true, error };
  }

  override render(): ReactNode {
    const { children, onClose } = this.props;
    const { failed, error } = this.state;
    if (!failed) return children;
    const isUnloaded = error instanceof LoadFailure;
    const { notLoaded, notLoadedHint, notDrawn, notDrawnHint } = text.failure;
    const message = (
      <FailureMessage
        title={isUnloaded ? notLoaded : notDrawn}
        failure={{ sentences: [isUnloaded ? notLoadedHint : notDrawnHint] }}
        onRetry={() => this.setState({ failed: false })}
      >
        <ReloadButton />
      </FailureMessage>
    );
    if (!onClose) return <div className={styles.padded}>{message}</div>;
    return (
      <Modal opened onClose={onClose} closeButtonProps={{ 'aria-label': text.failure.close }}>
        {message}
      </Modal>
    );
  }
}

/** Reloads the page, unless the server is gone: text that is not yet a draft would be lost with the page. */
function ReloadButton() {
  const [isServerGone, setServerGone] = useState(false);
  const reload = () => {
    fetch('/', { method: 'HEAD' }).then(
      () => location.reload(),
      () => setServerGone(true),
    );
  };
  return (
    <>
      {isServerGone && <p>{text.failure.noAnswer}</p>}
      <Button variant="default" onClick={reload}>
        {text.failure.reload}
      </Button>
    </>
  );
}
