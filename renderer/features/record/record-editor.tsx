import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useState } from 'react';
import { monacoModule } from '../../platform/monaco-loader.ts';
import { revealPointer } from '../../platform/reveal-pointer.ts';
import { copyToModel } from '../../platform/text-binding.ts';
import { useLazyModule } from '../../ui/lazy-module.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { useAnnounce } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { useStable } from '../../ui/use-stable.ts';
import { Breadcrumbs } from './breadcrumbs/crumb-bar.tsx';
import { JsonEditor, type EditorHandle } from './json-editor.tsx';
import { isUnsaved } from './record-state.ts';
import styles from './record.module.css';
import type { InspectorLayout } from './use-inspector.ts';
import type { RecordTarget } from './use-record-requests.ts';

/** Delay until the whole text is parsed: after the last key, and after an unchanged text arrived. */
const weighDelayMs = { edited: 200, unchanged: 2000 };

interface RecordEditorProps {
  readonly target: RecordTarget;
  readonly layout: Pick<InspectorLayout, 'isShown' | 'toggle'>;
  readonly editor: EditorHandle | undefined;
  /** Tokens of the element at the cursor. */
  readonly tokens: readonly string[];
  /** True if only the reading view is visible. */
  readonly isHidden: boolean;
  readonly onReady: (editor: EditorHandle) => void;
}

/** Editor of the open record's text below the breadcrumbs. */
export function RecordEditor(props: RecordEditorProps) {
  const { target, layout, editor, tokens, isHidden, onReady } = props;
  const { state, modelPath } = target;
  const { base, phase } = state;
  const hasText = base !== undefined;
  useWeighing(target);
  // While a record is loading, the editor keeps the previous text, at first an empty one, behind a cover. That
  // saves a swap of the model.
  const [visiblePath, setVisiblePath] = useState('chartkeeper:/reading.json');
  if (hasText && visiblePath !== modelPath) setVisiblePath(modelPath);
  useTextBinding(target);
  useLayoutEffect(() => {
    if (!hasText && editor?.hasWidgetFocus()) blurWithin(editor.getContainerDomNode());
  }, [hasText, editor]);
  const go = useStable((pointer: string) => revealPointer(modelPath, pointer));
  const outline = useStable(() => {
    editor?.focus();
    editor?.trigger('crumbs', 'editor.action.quickOutline', null);
  });
  return (
    <div className={styles.column} hidden={isHidden}>
      {phase.name !== 'unreadable' && (
        <Breadcrumbs
          type={state.type}
          tokens={tokens}
          inspector={layout.isShown}
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
          path={visiblePath}
          readOnly={hasText && (phase.name === 'loading' || phase.name === 'saving')}
          onReady={onReady}
        />
      </section>
    </div>
  );
}

/** Parses the whole text after a pause in typing. */
function useWeighing({ state: { text: currentText, base }, modelPath, dispatch }: RecordTarget): void {
  const weigh = useEffectEvent(() => dispatch({ type: 'weighed' }));
  useEffect(() => {
    const isEdited = currentText !== base?.text;
    const timer = setTimeout(
      () => {
        // Reading `root` parses the base now, in the pause, so that no key waits for it.
        if (base?.root) startTransition(weigh);
      },
      isEdited ? weighDelayMs.edited : weighDelayMs.unchanged,
    );
    return () => clearTimeout(timer);
  }, [modelPath, currentText, base]);
}

/** Copies the text to its model before the editor shows it, and each edit in the editor to the state. */
function useTextBinding(target: RecordTarget): void {
  const isLoaded = useLazyModule(monacoModule) !== undefined;
  const announce = useAnnounce();
  useLayoutEffect(() => {
    const { state, modelPath, dispatch } = target;
    if (!isLoaded || !state.base) return;
    copyToModel(modelPath, {
      ...state,
      amendsLastStep: state.phase.name === 'saved',
      onEdit(newText, origin) {
        // The previous announcement is outdated after a key.
        if (origin) announce('');
        const edit = () => dispatch({ type: 'edited', text: newText, origin });
        // The first key marks the tab at once, so that it can't be closed without a question. Later edits may
        // wait for the frame that shows the key. In both cases, actions keep their order.
        if (isUnsaved(state)) startTransition(edit);
        else edit();
      },
    });
  }, [target, isLoaded, announce]);
}

/** Removes the focus at once. An inert element keeps the focus, and the keys, until the next frame. */
function blurWithin(element: HTMLElement): void {
  const { activeElement } = document;
  if (activeElement instanceof HTMLElement && element.contains(activeElement)) activeElement.blur();
}
