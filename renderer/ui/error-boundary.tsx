import { Component, type ReactNode } from 'react';
import { FailureMessage } from './failure-message.tsx';
import { text } from './text.ts';
import styles from './view.module.css';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

/** Shows a render error inside its view, so that the frame and the edits of other tabs survive. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly failed: boolean }> {
  override readonly state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div className={styles.padded}>
        <FailureMessage
          title={text.failure.notDrawn}
          failure={{ sentences: [text.failure.notDrawnHint] }}
          onRetry={() => this.setState({ failed: false })}
        />
      </div>
    );
  }
}
