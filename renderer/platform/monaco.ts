import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
// Import all features before the first editor. A feature that registers after Monaco's services have started
// makes the next editor fail ("depends on UNKNOWN service").
import 'monaco-editor/features/register.all';
import { afterPaint } from '../ui/after-paint.ts';
import { registerFhir } from './monaco-fhir.ts';
import { registerJson } from './monaco-json.ts';
import { defineThemes } from './monaco-themes.ts';

/** A worker started in advance, because a diff must work without the server. */
let spareWorker: Worker | undefined;
const startSpareWorker = () => afterPaint(() => (spareWorker ??= new EditorWorker()), 1000);
// One worker for all editors: word lists and diffs. Monaco stops it when it is idle.
self.MonacoEnvironment = {
  getWorker() {
    const worker = spareWorker ?? new EditorWorker();
    spareWorker = undefined;
    startSpareWorker();
    return worker;
  },
};
startSpareWorker();
registerJson(monaco);
registerFhir(monaco);
redirectScrolling();
defineThemes(monaco);
loader.config({ monaco });

/**
 * Converts the browser's scrolling inside an editor into the editor's own scrolling. A browser scrolls, for
 * example, to show an element that a program clicks. Monaco does so only vertically: horizontally its text
 * would stay out of sight.
 */
function redirectScrolling(): void {
  monaco.editor.onDidCreateEditor((editor) => {
    const redirectScroll = ({ target }: Event) => {
      if (!(target instanceof HTMLElement) || !target.classList.contains('editor-scrollable')) return;
      const { scrollLeft } = target;
      if (scrollLeft === 0) return;
      target.scrollLeft = 0;
      editor.setScrollLeft(editor.getScrollLeft() + scrollLeft);
    };
    // The scrolled element is created later, and the event does not bubble.
    editor.getContainerDomNode().addEventListener('scroll', redirectScroll, { capture: true });
  });
}

export { monaco };
export { Editor } from '@monaco-editor/react';
