import { startTransition, useEffect, useEffectEvent } from 'react';
import { usePreference } from '../../platform/preferences.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { text } from '../../ui/text.ts';
import { CrumbBar } from './crumbs/crumb-bar.tsx';
import { useCursorPath } from './crumbs/use-cursor-path.ts';
import { JsonEditor, type EditorHandle } from './json-editor.tsx';
import { isUnsaved } from './record-state.ts';
import styles from './record.module.css';
import type { InspectorLayout } from './use-inspector.ts';
import type { RecordTarget } from './use-record-io.ts';

/** A model that stands in while a record is read, so that the one editor stays mounted. */
const emptyModel = 'chartkeeper:/reading.json';

/** Milliseconds after the last key until the whole text is read. */
const rest = 200;

interface RecordEditorProps {
  readonly target: RecordTarget;
  readonly layout: InspectorLayout;
  readonly editor: EditorHandle | undefined;
  readonly onReady: (editor: EditorHandle) => void;
}

/** The text of the open record, under the way to the element at the cursor. */
export function RecordEditor({ target, layout, editor, onReady }: RecordEditorProps) {
  const { state, modelPath, dispatch } = target;
  const { phase } = state;
  const hasText = state.base !== undefined;
  const [wrap, setWrap] = usePreference('wordWrap');
  const tokens = useCursorPath(editor);
  const weigh = useEffectEvent(() => dispatch({ type: 'weighed' }));
  useEffect(() => {
    const timer = setTimeout(() => startTransition(weigh), rest);
    return () => clearTimeout(timer);
  }, [modelPath, state.text]);
  return (
    <div className={styles.column}>
      {hasText && (
        <CrumbBar
          type={state.type}
          tokens={tokens}
          wrap={wrap}
          inspector={layout.shown}
          onGo={(pointer) => revealPointer(modelPath, pointer)}
          onOutline={() => {
            editor?.focus();
            editor?.trigger('crumbs', 'editor.action.quickOutline', null);
          }}
          onWrap={() => setWrap(!wrap)}
          onInspector={layout.toggle}
        />
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
          wrap={wrap}
          onChange={(value) => {
            if (!hasText) return;
            const edit = () => dispatch({ type: 'edited', text: value });
            // The first key marks the tab at once, so that nothing closes it unasked; what follows may wait for the
            // frame that shows the key. Actions keep their order either way.
            if (isUnsaved(state)) startTransition(edit);
            else edit();
          }}
          onReady={onReady}
        />
      </section>
    </div>
  );
}
