import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { modelAt } from '../../platform/monaco-loader.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { CrumbBar } from './crumbs/crumb-bar.tsx';
import { JsonEditor, type EditorHandle } from './json-editor.tsx';
import { isUnsaved } from './record-state.ts';
import styles from './record.module.css';
import type { InspectorLayout } from './use-inspector.ts';
import type { RecordTarget } from './use-record-io.ts';

/** What the one editor holds, out of sight, while the first record is read. */
const emptyModel = 'chartkeeper:/reading.json';

/** Milliseconds after the last key until the whole text is read, and after a text came that nobody has changed. */
const rest = { edited: 200, unchanged: 2000 };

interface RecordEditorProps {
  readonly target: RecordTarget;
  readonly layout: InspectorLayout;
  readonly editor: EditorHandle | undefined;
  /** The element at the cursor. */
  readonly tokens: readonly string[];
  /** Whether the reading view alone is in sight. */
  readonly hidden: boolean;
  readonly onReady: (editor: EditorHandle) => void;
}

/** The text of the open record, under the way to the element at the cursor. */
export function RecordEditor(props: RecordEditorProps) {
  const { target, layout, editor, tokens, hidden, onReady } = props;
  const { state, modelPath } = target;
  const { base, phase } = state;
  const hasText = base !== undefined;
  useWeighing(target);
  // While another record is read, the editor keeps the text before it behind the cover: a swap less.
  const [shown, setShown] = useState({ path: emptyModel, text: '' });
  if (hasText && shown.path !== modelPath) setShown({ path: modelPath, text: state.text });
  useLayoutEffect(() => {
    if (!hasText && editor?.hasWidgetFocus()) blurWithin(editor.getContainerDomNode());
  }, [hasText, editor]);
  const go = useStable((pointer: string) => revealPointer(modelPath, pointer));
  const outline = useStable(() => {
    editor?.focus();
    editor?.trigger('crumbs', 'editor.action.quickOutline', null);
  });
  const onChange = useEdited(target, editor);
  return (
    <div className={styles.column} hidden={hidden}>
      {phase.name !== 'unreadable' && (
        <CrumbBar
          type={state.type}
          tokens={tokens}
          inspector={layout.shown}
          onGo={go}
          onOutline={outline}
          onInspector={layout.toggle}
        />
      )}
      <section className={styles.editor} aria-label={text.record.region} inert={!hasText}>
        {!hasText && phase.name === 'loading' && (
          <div className={styles.cover}>
            <RecordSkeleton />
          </div>
        )}
        <JsonEditor
          path={shown.path}
          // A key changes it only until there is an editor.
          initialText={editor || !hasText ? shown.text : state.text}
          readOnly={hasText && (phase.name === 'loading' || phase.name === 'saving')}
          onChange={onChange}
          onReady={onReady}
        />
      </section>
    </div>
  );
}

/** Reads the whole text where the keys rest. */
function useWeighing({ state: { text: written, base }, modelPath, dispatch }: RecordTarget): void {
  const weigh = useEffectEvent(() => dispatch({ type: 'weighed' }));
  useEffect(() => {
    const isEdited = written !== base?.text;
    const timer = setTimeout(
      () => {
        // What the text is weighed against is read here, in the rest behind its coming: no key waits for that.
        if (base?.root) startTransition(weigh);
      },
      isEdited ? rest.edited : rest.unchanged,
    );
    return () => clearTimeout(timer);
  }, [modelPath, written, base]);
}

/** Takes each change of the text to its tab. */
function useEdited({ state, modelPath, dispatch }: RecordTarget, editor: EditorHandle | undefined) {
  const announce = useAnnounce();
  return useStable((value: string) => {
    // Of this record alone: what else changes behind the cover is not this tab's.
    if (!state.base || editor?.getModel() !== modelAt(modelPath)) return;
    // What happened before the key is old news.
    announce('');
    const edit = () => dispatch({ type: 'edited', text: value });
    // The first key marks the tab at once, so that nothing closes it unasked; what follows may wait for the
    // frame that shows the key. Actions keep their order either way.
    if (isUnsaved(state)) startTransition(edit);
    else edit();
  });
}

/** Takes the focus out at once: an inert element keeps it until the next frame, and keys with it. */
function blurWithin(element: HTMLElement): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && element.contains(activeElement)) activeElement.blur();
}
