import type * as Monaco from 'monaco-editor/editor/editor.api';
import { followCursor, type CursorMove } from '../../core/json/follow-cursor.ts';
import { tryScan } from '../../core/json/scan.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { rangeOf } from './monaco-model.ts';

/** The one stretch in which two texts differ: replace `start` to `end` of `before` with `text`. */
export function minimalEdit(before: string, after: string): { start: number; end: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  return { start, end: before.length - tail, text: after.slice(start, after.length - tail) };
}

/**
 * Replaces a model's text as one step that can be undone. Folds outside the change stay, and each cursor stays at its
 * element: at the same character where that is still there, else at the element that took its place.
 */
export function replaceModelText(path: string, after: string): void {
  replaceFollowing(path, after, beginStep);
}

/**
 * Replaces a model's text as a part of its last step, so that one undo takes back what the user did last and what the
 * server made of it.
 */
export function amendModelText(path: string, after: string): void {
  replaceFollowing(path, after, (model) => model.popStackElement());
}

/** Replaces a model's text in the one stretch that differs, as a step of its own; cursors go with the characters. */
export function editModelText(path: string, after: string): void {
  const model = modelAt(path);
  if (model) edit(model, after, [], beginStep);
}

type BeginEdit = (model: Monaco.editor.ITextModel) => void;

const beginStep: BeginEdit = (model) => model.pushStackElement();

function replaceFollowing(path: string, after: string, begin: BeginEdit): void {
  const model = modelAt(path);
  const before = model?.getValue();
  if (!model || before === undefined) return;
  const { start, end } = minimalEdit(before, after);
  const editors = editorsOf(model).map((editor) => ({ editor, spans: spansIn(editor, model) }));
  edit(model, after, editors[0]?.editor.getSelections() ?? [], begin);
  // Monaco moves a cursor outside the stretch with the characters around it.
  const isInside = (offset: number) => offset > start && offset < end;
  const inside = editors.filter(({ spans }) => spans.some((span) => span.some(isInside)));
  const move = inside.length > 0 ? moverOf(before, model.getValue()) : undefined;
  if (!move) return;
  for (const { editor, spans } of inside) moveCursors(editor, model, spans, move);
}

type Editor = Monaco.editor.ICodeEditor;

/** Returns the editors that show a model. */
function editorsOf(model: Monaco.editor.ITextModel): readonly Editor[] {
  const editors = loadedMonaco()?.editor.getEditors() ?? [];
  return editors.filter((editor) => editor.getModel() === model);
}

/** Where a selection begins and where its cursor stands, as offsets. */
type CursorSpan = readonly [anchor: number, head: number];

function spansIn(editor: Editor, model: Monaco.editor.ITextModel): CursorSpan[] {
  return (editor.getSelections() ?? []).map((selection) => [
    model.getOffsetAt(selection.getSelectionStart()),
    model.getOffsetAt(selection.getPosition()),
  ]);
}

function moverOf(before: string, after: string): ((offset: number) => CursorMove) | undefined {
  const [was, is] = [tryScan(before).root, tryScan(after).root];
  return was && is && followCursor({ text: before, root: was }, { text: after, root: is });
}

function moveCursors(
  editor: Editor,
  model: Monaco.editor.ITextModel,
  spans: readonly CursorSpan[],
  move: (offset: number) => CursorMove,
): void {
  editor.setSelections(
    spans.map(([anchor, head]) => {
      const [from, to] = [model.getPositionAt(move(anchor).offset), model.getPositionAt(move(head).offset)];
      return {
        ...{ selectionStartLineNumber: from.lineNumber, selectionStartColumn: from.column },
        ...{ positionLineNumber: to.lineNumber, positionColumn: to.column },
      };
    }),
  );
  const position = editor.getPosition();
  const isGone = spans.some(([, head]) => move(head).isGone);
  if (isGone && position) editor.revealPositionInCenterIfOutsideViewport(position);
}

/** An undo puts the cursors back that stood there before. */
function edit(
  model: Monaco.editor.ITextModel,
  after: string,
  cursors: Monaco.Selection[],
  begin: BeginEdit,
): void {
  const { start, end, text } = minimalEdit(model.getValue(), after);
  if (start === end && text === '') return;
  const range = rangeOf(model, { start, end });
  begin(model);
  model.pushEditOperations(cursors, [{ range, text }], () => null);
  model.pushStackElement();
}

/**
 * The same of a tab whose editor may be about to open: the model is made where there is none, as that editor would make it
 * of the text that was there when it was last drawn.
 */
export function putModelText(path: string, after: string): void {
  const monaco = loadedMonaco();
  if (!monaco || modelAt(path)) replaceModelText(path, after);
  else monaco.editor.createModel(after, 'json', monaco.Uri.parse(path));
}
