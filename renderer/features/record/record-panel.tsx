import { useEffect, useState } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isFocusLost } from '../../ui/focus.ts';
import { text } from '../../ui/text.ts';
import { formatRecord } from './format-record.ts';
import { JsonEditor, type EditorHandle } from './json-editor.tsx';
import { refusals, type RecordActions } from './record-actions.ts';
import { RecordHeader } from './record-header.tsx';
import { RecordSkeleton } from './record-skeleton.tsx';
import { isUnderReview } from './record-state.ts';
import { ReviewSheet } from './review-sheet.tsx';
import styles from './record.module.css';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

/** A model that stands in while a record is read, so that the one editor stays mounted. */
const emptyModel = 'chartkeeper:/reading.json';

interface RecordPanelProps {
  readonly target: RecordTarget;
  readonly io: RecordIo;
  /** Whether this panel is in front and nothing covers it. */
  readonly front: boolean;
  readonly onPatch: () => void;
  readonly onReload: () => void;
}

/** The open record: header, editor, and the review sheet over them when it is wanted. */
export function RecordPanel({ target, io, front, onPatch, onReload }: RecordPanelProps) {
  const { state, modelPath, dispatch } = target;
  const { base, phase } = state;
  const [editor, setEditor] = useState<EditorHandle>();
  const hasText = base !== undefined;
  const refused = refusals(phase, hasText);

  const ready = front && hasText && !isUnderReview(phase);
  useEffect(() => {
    if (ready && isFocusLost()) editor?.focus();
  }, [ready, editor, modelPath]);

  function act(name: keyof RecordActions, run: () => void) {
    const refusal = refused[name];
    return { run, ...(refusal !== undefined && { refusal }) };
  }
  const actions: RecordActions = {
    format: act('format', () => {
      formatRecord(target);
      editor?.focus();
    }),
    reload: act('reload', onReload),
    patch: act('patch', onPatch),
    review: act('review', () => dispatch({ type: 'review' })),
  };

  return (
    <div className={styles.panel}>
      <RecordHeader state={state} actions={actions} />
      {phase.name === 'unreadable' && (
        <div className={styles.padded}>
          <FailureMessage
            title={text.record.unreadableTitle}
            failure={phase.failure}
            onRetry={() => void io.read(target)}
          />
        </div>
      )}
      <section className={styles.editor} aria-label={text.record.region} data-hidden={!hasText}>
        {!hasText && phase.name === 'loading' && (
          <div className={styles.cover}>
            <RecordSkeleton />
          </div>
        )}
        <JsonEditor
          path={hasText ? modelPath : emptyModel}
          initialText={hasText ? state.text : ''}
          readOnly={!hasText || phase.name === 'loading' || phase.name === 'saving'}
          onChange={(value) => {
            if (hasText) dispatch({ type: 'edited', text: value });
          }}
          onReady={setEditor}
        />
      </section>
      {base && isUnderReview(phase) && <ReviewSheet target={target} base={base} io={io} />}
    </div>
  );
}
