import type * as Monaco from 'monaco-editor/editor/editor.api';

/** Characters of a line that Monaco renders. The rest can neither be read nor found. */
const maxRenderedLength = 10_000;

/**
 * Wraps the lines of an editor while its text has a line that Monaco would not render completely, regardless
 * of the preference. A wrapped line is rendered in parts, and only the visible ones.
 */
export function wrapLongLines(editor: Monaco.editor.ICodeEditor): void {
  const wrap = (isWrapped: boolean) =>
    editor.updateOptions({ wordWrapOverride2: isWrapped ? 'on' : 'inherit' });
  const updateWrap = () => {
    const model = editor.getModel();
    if (model) wrap(hasLongLine(model, 1, model.getLineCount()));
  };
  editor.onDidChangeModel(updateWrap);
  editor.onDidChangeModelContent(({ changes }) => {
    const model = editor.getModel();
    const isLong = changes.some(({ range, text }) => {
      const firstLine = range.startLineNumber;
      return model && hasLongLine(model, firstLine, firstLine + (text.match(/\n/g)?.length ?? 0));
    });
    // A wrapped text stays wrapped: lines that jump at a key are hard to read.
    if (isLong) wrap(true);
  });
  updateWrap();
}

function hasLongLine(model: Monaco.editor.ITextModel, firstLine: number, lastLine: number): boolean {
  for (let line = firstLine; line <= Math.min(lastLine, model.getLineCount()); line += 1) {
    if (model.getLineLength(line) > maxRenderedLength) return true;
  }
  return false;
}
