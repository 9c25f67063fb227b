import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
// All of them, and before the first editor: a feature that registers after Monaco's services have started makes the
// next editor fail ("depends on UNKNOWN service").
import 'monaco-editor/features/register.all';
import { afterPaint } from '../ui/after-paint.ts';
import { registerFhir } from './monaco-fhir.ts';
import { registerJson } from './monaco-json.ts';
import { defineThemes } from './monaco-themes.ts';

/** The next worker, there before it is asked for: a comparison must not need a server that may be gone by then. */
let spare: Worker | undefined;
const startSpare = () => afterPaint(() => (spare ??= new EditorWorker()), 1000);
// One worker for all editors: word lists and diffs. Monaco ends it after a while of rest.
self.MonacoEnvironment = {
  getWorker() {
    const worker = spare ?? new EditorWorker();
    spare = undefined;
    startSpare();
    return worker;
  },
};
startSpare();
registerJson(monaco);
registerFhir(monaco);
takeScrolling();
defineThemes(monaco);
loader.config({ monaco });

/**
 * What the browser scrolls inside an editor by itself, as it does to show the place that a program clicks, becomes the
 * editor's own scrolling. Monaco does so downwards alone: sideways its text went out of sight and stayed there.
 */
function takeScrolling(): void {
  monaco.editor.onDidCreateEditor((editor) => {
    const take = ({ target }: Event) => {
      if (!(target instanceof HTMLElement) || !target.classList.contains('editor-scrollable')) return;
      const { scrollLeft } = target;
      if (scrollLeft === 0) return;
      target.scrollLeft = 0;
      editor.setScrollLeft(editor.getScrollLeft() + scrollLeft);
    };
    // What is scrolled is made later; the event does not bubble.
    editor.getContainerDomNode().addEventListener('scroll', take, { capture: true });
  });
}

export { monaco };
export { Editor } from '@monaco-editor/react';
