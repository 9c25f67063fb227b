import type * as Monaco from 'monaco-editor/editor/editor.api';
import { followCursor, type CursorMove } from '../../core/json/follow-cursor.ts';
import { tryScan } from '../../core/json/scan.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { rangeOf } from './monaco-model.ts';

/** Returns the one span in which two texts differ: replace `start` to `end` of `before` by `text`. */
export function minimalEdit(before: string, after: string): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let commonSuffixLength = 0;
  while (
    commonSuffixLength < shorter - start &&
    before.charCodeAt(before.length - 1 - commonSuffixLength) ===
      after.charCodeAt(after.length - 1 - commonSuffixLength)
  ) {
    commonSuffixLength += 1;
  }
  return {
    start,
    end: before.length - commonSuffixLength,
    text: after.slice(start, after.length - commonSuffixLength),
  };
}

/**
 * Replaces the changed span of a model's text, as one undo step or as part of the last one. Folds outside the
 * change stay. Each cursor stays at its character, or at the next element if the character was removed.
 */
export function replaceModelText(path: string, newText: string, amendsLastStep = false): void {
  const model = modelAt(path);
  if (!model || model.getValue() === newText) return;
  if (amendsLastStep) model.popStackElement();
  else model.pushStackElement();
  // Monaco gives all lines of a text the same line end.
  const lineEnd = newText.includes('\r\n') ? '\r\n' : '\n';
  const after = newText.includes('\r') ? newText.replaceAll(/\r\n?|\n/g, lineEnd) : newText;
  if (model.getEOL() !== lineEnd) model.pushEOL(lineEnd === '\n' ? 0 : 1);
  const before = model.getValue();
  const { start, end, text } = minimalEdit(before, after);
  const editors = editorsOf(model).map((editor) => ({ editor, spans: spansIn(editor, model) }));
  // Undo restores the cursors.
  const cursors = editors[0]?.editor.getSelections() ?? [];
  model.pushEditOperations(cursors, [{ range: rangeOf(model, { start, end }), text }], () => null);
  model.pushStackElement();
  // Outside the span, Monaco moves a cursor with the characters around it.
  const isInside = (offset: number) => offset > start && offset < end;
  const affectedEditors = editors.filter(({ spans }) => spans.some((span) => span.some(isInside)));
  const moveCursor = affectedEditors.length > 0 ? moverOf(before, after) : undefined;
  if (!moveCursor) return;
  for (const { editor, spans } of affectedEditors) moveCursors(editor, model, spans, moveCursor);
}

type Editor = Monaco.editor.ICodeEditor;

/** Returns the editors that show a model. */
function editorsOf(model: Monaco.editor.ITextModel): readonly Editor[] {
  const editors = loadedMonaco()?.editor.getEditors() ?? [];
  return editors.filter((editor) => editor.getModel() === model);
}

/** Start of a selection and position of its cursor, as offsets. */
type CursorSpan = readonly [anchor: number, head: number];

function spansIn(editor: Editor, model: Monaco.editor.ITextModel): CursorSpan[] {
  return (editor.getSelections() ?? []).map((selection) => [
    model.getOffsetAt(selection.getSelectionStart()),
    model.getOffsetAt(selection.getPosition()),
  ]);
}

function moverOf(before: string, after: string): ((offset: number) => CursorMove) | undefined {
  const [rootBefore, rootAfter] = [tryScan(before).root, tryScan(after).root];
  return (
    rootBefore &&
    rootAfter &&
    followCursor({ text: before, root: rootBefore }, { text: after, root: rootAfter })
  );
}

function moveCursors(
  editor: Editor,
  model: Monaco.editor.ITextModel,
  spans: readonly CursorSpan[],
  move: (offset: number) => CursorMove,
): void {
  editor.setSelections(
    spans.map(([anchor, head]) => {
      const startPosition = model.getPositionAt(move(anchor).offset);
      const endPosition = model.getPositionAt(move(head).offset);
      return {
        selectionStartLineNumber: startPosition.lineNumber,
        selectionStartColumn: startPosition.column,
        positionLineNumber: endPosition.lineNumber,
        positionColumn: endPosition.column,
      };
    }),
  );
  const position = editor.getPosition();
  const isRemoved = spans.some(([, head]) => move(head).isGone);
  if (isRemoved && position) editor.revealPositionInCenterIfOutsideViewport(position);
}
