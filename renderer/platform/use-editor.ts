import { useEffect, useState } from 'react';
import { text } from '../ui/text.ts';
import { loadedEditor, loadMonaco } from './monaco-loader.ts';

type Loaded = { readonly Editor: ReturnType<typeof loadedEditor> } | { readonly failure: Error };

/**
 * Returns Monaco's editor component; undefined until it is loaded. Suspense is not used: React delays content
 * after a fallback to avoid flicker, and the text would appear later.
 *
 * @throws Error if it can't be loaded, for the error boundary.
 */
export function useEditor() {
  const [state, setState] = useState<Loaded>(() => ({ Editor: loadedEditor() }));
  const isLoaded = 'Editor' in state && state.Editor !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    let isUnmounted = false;
    loadMonaco().then(
      ({ Editor }) => {
        if (!isUnmounted) setState({ Editor });
      },
      (cause: unknown) => {
        if (!isUnmounted) setState({ failure: new Error(text.failure.noEditor, { cause }) });
      },
    );
    return () => {
      isUnmounted = true;
    };
  }, [isLoaded]);
  if ('failure' in state) throw state.failure;
  return state.Editor;
}
