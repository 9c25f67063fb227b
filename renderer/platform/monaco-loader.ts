import type * as MonacoModuleNamespace from './monaco.ts';

type MonacoModule = typeof MonacoModuleNamespace;

let loading: Promise<MonacoModule> | undefined;
let loaded: MonacoModule | undefined;

/** Loads Monaco once; the page's first paint and its search do without it. */
export function loadMonaco(): Promise<MonacoModule> {
  loading ??= import('./monaco.ts').then(
    (module) => (loaded = module),
    (error: unknown) => {
      // The next opening tries again.
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Has Monaco fetched and compiled, but not run: that is left for when it is needed. */
export function fetchMonaco(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name=editor-module]');
  if (!named) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = named.content;
  named.replaceWith(link);
}

/** Monaco's API, where it is loaded. */
export function loadedMonaco(): MonacoModule['monaco'] | undefined {
  return loaded?.monaco;
}

/** The editor as a component, where Monaco is loaded. */
export function loadedEditor(): MonacoModule['Editor'] | undefined {
  return loaded?.Editor;
}

/** The text model at a path, where Monaco is loaded and the model exists. */
export function modelAt(path: string) {
  return loaded?.monaco.editor.getModel(loaded.monaco.Uri.parse(path)) ?? undefined;
}

/** Frees the text, undo stack and markers of a closed tab. */
export function disposeModel(path: string): void {
  modelAt(path)?.dispose();
}
