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
        // Monaco drops the names that it was made with; those that change later it keeps.
        diff.updateOptions(chosen);
        setState({ diff });
        end = () => {
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
      // Not within React's commit: what an editor throws while it goes would take the page with it.
      if (end) setTimeout(end);
    };
  }, []);
  // For the boundary above to show.
  if (state?.failure) throw state.failure;
  return { host, diff: state?.diff };
}
