import type * as MonacoModuleNamespace from './monaco.ts';

type MonacoModule = typeof MonacoModuleNamespace;

let loading: Promise<MonacoModule> | undefined;
let loaded: MonacoModule | undefined;
/** Number of failed attempts. */
let failures = 0;

/** Loads Monaco once. The first paint and the search don't wait for it. */
export function loadMonaco(): Promise<MonacoModule> {
  loading ??= importMonaco().then(
    (module) => (loaded = module),
    (error: unknown) => {
      // The next call tries again.
      loading = undefined;
      failures += 1;
      throw error;
    },
  );
  return loading;
}

/**
 * Imports Monaco. A browser caches a failed module by its address until the next page load, so each retry
 * uses another address.
 */
function importMonaco(): Promise<MonacoModule> {
  const address =
    failures > 0 && document.querySelector<HTMLMetaElement>('meta[name=editor-module]')?.content;
  if (!address) return import('./monaco.ts');
  // oxlint-disable-next-line no-unsanitized/method, import/no-dynamic-require -- the page's own chunk, named by the build
  return import(/* @vite-ignore */ `${address}?try=${failures}`) as Promise<MonacoModule>;
}

/** Fetches and compiles Monaco without running it. */
export function fetchMonaco(): void {
  const moduleMeta = document.querySelector<HTMLMetaElement>('meta[name=editor-module]');
  if (!moduleMeta) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = moduleMeta.content;
  document.head.append(link);
}

/** Returns Monaco's API if it is loaded. */
export function loadedMonaco(): MonacoModule['monaco'] | undefined {
  return loaded?.monaco;
}

/** Returns the editor component if Monaco is loaded. */
export function loadedEditor(): MonacoModule['Editor'] | undefined {
  return loaded?.Editor;
}

/** Returns the text model at a path if Monaco is loaded and the model exists. */
export function modelAt(path: string) {
  return loaded?.monaco.editor.getModel(loaded.monaco.Uri.parse(path)) ?? undefined;
}

/** Frees the text, undo stack and markers of a closed tab. */
export function disposeModel(path: string): void {
  modelAt(path)?.dispose();
}
