import { useEffect, useState } from 'react';
import { loadedEditor, loadMonaco } from './monaco-loader.ts';

type Loaded = { readonly Editor: ReturnType<typeof loadedEditor> } | { readonly failure: Error };

/**
 * Monaco's editor, a component; undefined until it is loaded. Not by Suspense: React holds back what a fallback stood
 * for, so as not to flicker, and the text would come later than it is there.
 *
 * @throws Error where it cannot be loaded, for the boundary above to show.
 */
export function useEditor() {
  const [loaded, setLoaded] = useState<Loaded>(() => ({ Editor: loadedEditor() }));
  const there = 'Editor' in loaded && loaded.Editor !== undefined;
  useEffect(() => {
    if (there) return;
    let gone = false;
    loadMonaco().then(
      ({ Editor }) => {
        if (!gone) setLoaded({ Editor });
      },
      (cause: unknown) => {
        if (!gone) setLoaded({ failure: new Error('Monaco was not loaded.', { cause }) });
      },
    );
    return () => {
      gone = true;
    };
  }, [there]);
  if ('failure' in loaded) throw loaded.failure;
  return loaded.Editor;
}
