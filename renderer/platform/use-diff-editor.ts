import { useEffect, useRef, useState, type RefObject } from 'react';
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { loadMonaco } from './monaco-loader.ts';

export type DiffEditor = Monaco.editor.IStandaloneDiffEditor;

interface DiffTexts {
  readonly original: string;
  readonly modified: string;
  readonly originalPath: string;
  readonly modifiedPath: string;
}

/**
 * A diff editor in an element for as long as that is mounted. It makes its view model itself: the one that Monaco
 * makes is never let go, and fails where its texts go while it still compares them.
 */
export function useDiffEditor(
  texts: DiffTexts,
  options: Monaco.editor.IDiffEditorConstructionOptions,
): { readonly host: RefObject<HTMLDivElement | null>; readonly diff: DiffEditor | undefined } {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<{ readonly diff?: DiffEditor; readonly failure?: Error }>();
  // What it is made of, once Monaco is there; what changes later is edited in place.
  const latest = useRef({ texts, options });
  useEffect(() => {
    latest.current = { texts, options };
  });

  useEffect(() => {
    let end: (() => void) | undefined;
    let gone = false;
    loadMonaco().then(
      ({ monaco }) => {
        if (gone || !host.current) return;
        const { texts: made, options: chosen } = latest.current;
        const model = (text: string, path: string) =>
          monaco.editor.createModel(text, 'json', monaco.Uri.parse(path));
        const original = model(made.original, made.originalPath);
        const modified = model(made.modified, made.modifiedPath);
        const diff = monaco.editor.createDiffEditor(host.current, { automaticLayout: true, ...chosen });
        const comparison = diff.createViewModel({ original, modified });
        diff.setModel(comparison);
        setState({ diff });
        end = () => {
          takeHoversBack(monaco);
          diff.setModel(null);
          comparison.dispose();
          diff.dispose();
          original.dispose();
          modified.dispose();
        };
      },
      (reason: unknown) => setState({ failure: new Error('Monaco was not loaded.', { cause: reason }) }),
    );
    return () => {
      gone = true;
      // After the commit that takes it off the screen, which need not wait for it.
      if (end) setTimeout(end);
    };
  }, []);
  // Those that change, and those that it was made with: of these Monaco drops the names.
  const diff = state?.diff;
  useEffect(() => diff?.updateOptions(options), [diff, options]);
  // For the boundary above to show.
  if (state?.failure) throw state.failure;
  return { host, diff };
}

/**
 * Monaco makes the hovers of all its menus and lists with the services of the editor that was made last. Those of a
 * comparison end with it, and what is made after it, a menu or the list of suggestions, would fail; those of an editor
 * that stands alone are Monaco's own, and stay.
 */
function takeHoversBack(monaco: typeof Monaco): void {
  monaco.editor.create(document.createElement('div'), { model: null }).dispose();
}
