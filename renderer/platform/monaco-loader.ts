import { createLazyModule } from '../ui/lazy-module.ts';

/** Monaco. The first paint and the search don't wait for it. */
export const monacoModule = createLazyModule(() => import('./monaco.ts'));

export const loadMonaco = monacoModule.load;

/** Fetches and compiles Monaco and the code of record tabs without running it. */
export function fetchRecordModules(): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name=record-modules]')?.content ?? '';
  for (const file of files.split(' ').filter(Boolean)) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = file;
    document.head.append(link);
  }
}

/** Returns Monaco's API if it is loaded. */
export function loadedMonaco() {
  return monacoModule.getLoaded()?.monaco;
}

/** Returns the text model at a path if Monaco is loaded and the model exists. */
export function modelAt(path: string) {
  const monaco = loadedMonaco();
  return monaco?.editor.getModel(monaco.Uri.parse(path)) ?? undefined;
}

/** Frees the text, undo stack and markers of a closed tab. */
export function disposeModel(path: string): void {
  modelAt(path)?.dispose();
}
