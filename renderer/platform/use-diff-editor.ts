import { useEffect, useRef, useState, type RefObject } from 'react';
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { text } from '../ui/text.ts';
import { loadMonaco } from './monaco-loader.ts';

export type DiffEditor = Monaco.editor.IStandaloneDiffEditor;

interface DiffTexts {
  readonly original: string;
  readonly modified: string;
  readonly originalPath: string;
  readonly modifiedPath: string;
}

/**
 * Creates a diff editor in an element while it is mounted. It creates its own view model, because Monaco's is
 * never disposed and fails when its texts are disposed during a comparison.
 */
export function useDiffEditor(
  texts: DiffTexts,
  options: Monaco.editor.IDiffEditorConstructionOptions,
): { readonly host: RefObject<HTMLDivElement | null>; readonly diffEditor: DiffEditor | undefined } {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ readonly diff?: DiffEditor; readonly failure?: Error }>();
  // Initial texts and options. Later changes are applied in place.
  const latest = useRef({ texts, options });
  useEffect(() => {
    latest.current = { texts, options };
  });

  useEffect(() => {
    let dispose: (() => void) | undefined;
    let isUnmounted = false;
    loadMonaco().then(
      ({ monaco }) => {
        if (isUnmounted || !host.current) return;
        const { texts: initialTexts, options: initialOptions } = latest.current;
        const createModel = (text: string, path: string) =>
          monaco.editor.createModel(text, 'json', monaco.Uri.parse(path));
        const original = createModel(initialTexts.original, initialTexts.originalPath);
        const modified = createModel(initialTexts.modified, initialTexts.modifiedPath);
        const diff = monaco.editor.createDiffEditor(host.current, {
          automaticLayout: true,
          ...initialOptions,
        });
        const comparison = diff.createViewModel({ original, modified });
        diff.setModel(comparison);
        setState({ diff });
        dispose = () => {
          takeHoversBack(monaco);
          diff.setModel(null);
          comparison.dispose();
          diff.dispose();
          original.dispose();
          modified.dispose();
        };
      },
      (reason: unknown) => setState({ failure: new Error(text.failure.noEditor, { cause: reason }) }),
    );
    return () => {
      isUnmounted = true;
      // After the commit that removes it from the screen.
      if (dispose) setTimeout(dispose);
    };
  }, []);
  // Also after the creation, because Monaco ignores the labels there.
  const diffEditor = state?.diff;
  useEffect(() => diffEditor?.updateOptions(options), [diffEditor, options]);
  // Thrown for the error boundary.
  if (state?.failure) throw state.failure;
  return { host, diffEditor };
}

/**
 * Gives the hovers back to Monaco. All hovers of menus and lists use the services of the last created editor.
 * The services of a comparison end with it, and later hovers would fail. The services of a standalone editor stay.
 */
function takeHoversBack(monaco: typeof Monaco): void {
  monaco.editor.create(document.createElement('div'), { model: null }).dispose();
}
