import type * as Monaco from 'monaco-editor/editor/editor.api';

/** Characters of a line that Monaco draws; what lies behind them could neither be read nor found. */
const mostDrawn = 10_000;

/**
 * Wraps the lines of an editor for as long as its text has one that Monaco would not draw to its end, whatever the
 * preference says: a line that is wrapped is drawn in pieces, and only those in sight.
 */
export function wrapLongLines(editor: Monaco.editor.ICodeEditor): void {
  const wrap = (isWrapped: boolean) =>
    editor.updateOptions({ wordWrapOverride2: isWrapped ? 'on' : 'inherit' });
  const look = () => {
    const model = editor.getModel();
    if (model) wrap(hasLongLine(model, 1, model.getLineCount()));
  };
  editor.onDidChangeModel(look);
  editor.onDidChangeModelContent(({ changes }) => {
    const model = editor.getModel();
    const isLong = changes.some(({ range, text }) => {
      const first = range.startLineNumber;
      return model && hasLongLine(model, first, first + (text.match(/\n/g)?.length ?? 0));
    });
    // Once wrapped, a text stays so: lines that jump at a key are not read.
    if (isLong) wrap(true);
  });
  look();
}

function hasLongLine(model: Monaco.editor.ITextModel, first: number, last: number): boolean {
  for (let line = first; line <= Math.min(last, model.getLineCount()); line += 1) {
    if (model.getLineLength(line) > mostDrawn) return true;
  }
  return false;
}
