import type * as MonacoModuleNamespace from './monaco.ts';

type MonacoModule = typeof MonacoModuleNamespace;

let loading: Promise<MonacoModule> | undefined;
let loaded: MonacoModule | undefined;
/** How often it could not be loaded. */
let failures = 0;

/** Loads Monaco once; the page's first paint and its search do without it. */
export function loadMonaco(): Promise<MonacoModule> {
  loading ??= importMonaco().then(
    (module) => (loaded = module),
    (error: unknown) => {
      // The next opening tries again.
      loading = undefined;
      failures += 1;
      throw error;
    },
  );
  return loading;
}

/** A module that could not be fetched stays so under its address, until the page is loaded anew: another try has another. */
function importMonaco(): Promise<MonacoModule> {
  const address =
    failures > 0 && document.querySelector<HTMLMetaElement>('meta[name=editor-module]')?.content;
  if (!address) return import('./monaco.ts');
  // oxlint-disable-next-line no-unsanitized/method, import/no-dynamic-require -- the page's own chunk, named by the build
  return import(/* @vite-ignore */ `${address}?try=${failures}`) as Promise<MonacoModule>;
}

/** Has Monaco fetched and compiled, but not run: that is left for when it is needed. */
export function fetchMonaco(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name=editor-module]');
  if (!named) return;
  const link = document.createElement('link');
  link.rel = 'modulepreload';
  link.href = named.content;
  document.head.append(link);
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
