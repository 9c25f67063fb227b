import type * as Monaco from 'monaco-editor/editor/editor.api';

/**
 * What the browser scrolls inside an editor by itself, as it does to show the place that a program clicks, becomes the
 * editor's own scrolling. Monaco does so downwards alone: sideways its text went out of sight and stayed there.
 */
export function takeScrolling(monaco: typeof Monaco): void {
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
