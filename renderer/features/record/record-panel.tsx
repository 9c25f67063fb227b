import { useEffect, useState, type ReactNode } from 'react';
import { FailureMessage } from '../../ui/failure-message.tsx';
import { isFocusLost } from '../../ui/focus.ts';
import { text } from '../../ui/text.ts';
import { DraftNotice } from './drafts/draft-notice.tsx';
import { formatRecord } from './format-record.ts';
import type { EditorHandle } from './json-editor.tsx';
import { useJudgement } from './markers/use-judgement.ts';
import { useMarks } from './markers/use-marks.ts';
import { refusals, type RecordActions } from './record-actions.ts';
import { RecordEditor } from './record-editor.tsx';
import { RecordHeader } from './record-header.tsx';
import { RecordSide } from './record-side.tsx';
import { isUnderReview } from './record-state.ts';
import { ReviewSheet } from './review-sheet.tsx';
import styles from './record.module.css';
import { useFollow } from './use-follow.ts';
import { useInspector } from './use-inspector.ts';
import { useReferenceKeys } from './use-reference-keys.ts';
import type { RecordIo, RecordTarget } from './use-record-io.ts';

interface RecordPanelProps {
  readonly target: RecordTarget;
  readonly io: RecordIo;
  /** Whether this panel is in front and nothing covers it. */
  readonly front: boolean;
  readonly onPatch: () => void;
  readonly onReload: () => void;
  /** The record's history, for the inspector's tab of that name. */
  readonly history?: ReactNode;
}

/** The open record: header, editor, and the review sheet over them when it is wanted. */
export function RecordPanel({ target, io, front, onPatch, onReload, history }: RecordPanelProps) {
  const { state, modelPath, dispatch } = target;
  const { base, phase } = state;
  const [editor, setEditor] = useState<EditorHandle>();
  const hasText = base !== undefined;
  const refused = refusals(phase, hasText);
  const layout = useInspector();
  const follow = useFollow(modelPath);
  const judged = useJudgement({ modelPath, type: state.type, text: state.text, base: base?.text });
  useMarks(judged, editor);
  useReferenceKeys(editor, follow);

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
      <RecordHeader
        state={state}
        actions={actions}
        onEditor={(action) => {
          editor?.focus();
          editor?.trigger('header', action, null);
        }}
      />
      <DraftNotice key={modelPath} target={target} />
      {phase.name === 'unreadable' && (
        <div className={styles.padded}>
          <FailureMessage
            title={text.record.unreadableTitle}
            failure={phase.failure}
            onRetry={() => void io.read(target)}
          />
        </div>
      )}
      <div className={styles.body}>
        <RecordEditor target={target} layout={layout} editor={editor} onReady={setEditor} />
        {layout.shown && hasText && (
          <RecordSide
            modelPath={modelPath}
            judged={judged}
            layout={layout}
            history={history}
            onFollow={follow}
          />
        )}
      </div>
      {base && isUnderReview(phase) && <ReviewSheet target={target} base={base} io={io} />}
    </div>
  );
}
