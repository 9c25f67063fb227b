import { useEffect, useRef, useState, type RefObject } from 'react';
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { useLazyModule } from '../ui/lazy-module.ts';
import { monacoModule } from './monaco-loader.ts';

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
  const monaco = useLazyModule(monacoModule)?.monaco;
  const [diffEditor, setDiffEditor] = useState<DiffEditor>();
  // Initial texts and options. Later changes are applied in place.
  const latest = useRef({ texts, options });
  useEffect(() => {
    latest.current = { texts, options };
  });

  useEffect(() => {
    if (!monaco || !host.current) return;
    const { texts: initialTexts, options: initialOptions } = latest.current;
    const createModel = (text: string, path: string) =>
      monaco.editor.createModel(text, 'json', monaco.Uri.parse(path));
    const original = createModel(initialTexts.original, initialTexts.originalPath);
    const modified = createModel(initialTexts.modified, initialTexts.modifiedPath);
    const createdEditor = monaco.editor.createDiffEditor(host.current, {
      automaticLayout: true,
      ...initialOptions,
    });
    const comparison = createdEditor.createViewModel({ original, modified });
    createdEditor.setModel(comparison);
    setDiffEditor(createdEditor);
    const dispose = () => {
      takeHoversBack(monaco);
      createdEditor.setModel(null);
      comparison.dispose();
      createdEditor.dispose();
      original.dispose();
      modified.dispose();
    };
    return () => {
      // After the commit that removes it from the screen.
      setTimeout(dispose);
    };
  }, [monaco]);
  // Also after the creation, because Monaco ignores the labels there.
  useEffect(() => diffEditor?.updateOptions(options), [diffEditor, options]);
  return { host, diffEditor };
}

/**
 * Gives the hovers back to Monaco. All hovers of menus and lists use the services of the last created editor.
 * The services of a comparison end with it, and later hovers would fail. The services of a standalone editor stay.
 */
function takeHoversBack(monaco: typeof Monaco): void {
  monaco.editor.create(document.createElement('div'), { model: null }).dispose();
}
