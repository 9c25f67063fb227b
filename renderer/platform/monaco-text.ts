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
 * Replaces a model's text as one undo step. Folds outside the change stay. Each cursor stays at its
 * character, or at the next element if the character was removed.
 */
export function replaceModelText(path: string, newText: string): void {
  replaceFollowing(path, newText, beginStep);
}

/**
 * Replaces a model's text as part of its last undo step, so that one undo reverts the user's last edit and
 * the server's changes to it.
 */
export function amendModelText(path: string, newText: string): void {
  replaceFollowing(path, newText, (model) => model.popStackElement());
}

/** Replaces the changed span of a model's text as a separate undo step. Monaco moves the cursors. */
export function editModelText(path: string, newText: string): void {
  const model = modelAt(path);
  if (model) edit(model, newText, [], beginStep);
}

type BeginEdit = (model: Monaco.editor.ITextModel) => void;

const beginStep: BeginEdit = (model) => model.pushStackElement();

function replaceFollowing(path: string, newText: string, beginEdit: BeginEdit): void {
  const model = modelAt(path);
  const before = model?.getValue();
  if (!model || before === undefined) return;
  const { start, end } = minimalEdit(before, newText);
  const editors = editorsOf(model).map((editor) => ({ editor, spans: spansIn(editor, model) }));
  edit(model, newText, editors[0]?.editor.getSelections() ?? [], beginEdit);
  // Outside the span, Monaco moves a cursor with the characters around it.
  const isInside = (offset: number) => offset > start && offset < end;
  const affectedEditors = editors.filter(({ spans }) => spans.some((span) => span.some(isInside)));
  const moveCursor = affectedEditors.length > 0 ? moverOf(before, model.getValue()) : undefined;
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
      const [startPosition, endPosition] = [
        model.getPositionAt(move(anchor).offset),
        model.getPositionAt(move(head).offset),
      ];
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

/** Undo restores the previous cursors. */
function edit(
  model: Monaco.editor.ITextModel,
  newText: string,
  cursors: Monaco.Selection[],
  beginEdit: BeginEdit,
): void {
  const { start, end, text } = minimalEdit(model.getValue(), newText);
  if (start === end && text === '') return;
  const range = rangeOf(model, { start, end });
  beginEdit(model);
  model.pushEditOperations(cursors, [{ range, text }], () => null);
  model.pushStackElement();
}

/**
 * Replaces the text of a tab whose editor may be about to open. Creates the model if there is none, because
 * that editor would create it from an older text.
 */
export function setModelText(path: string, newText: string): void {
  const monaco = loadedMonaco();
  if (!monaco || modelAt(path)) replaceModelText(path, newText);
  else monaco.editor.createModel(newText, 'json', monaco.Uri.parse(path));
}
