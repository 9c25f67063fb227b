import type * as Monaco from 'monaco-editor/editor/editor.api';
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

/** Replaces a model's text as one step that can be undone; cursor and folds outside the change stay. */
export function replaceModelText(path: string, after: string): void {
  replace(path, after, (model) => model.pushStackElement());
}

/**
 * Replaces a model's text as a part of its last step, so that one undo takes back what the user did last and what the
 * server made of it.
 */
export function amendModelText(path: string, after: string): void {
  replace(path, after, (model) => model.popStackElement());
}

function replace(path: string, after: string, begin: (model: Monaco.editor.ITextModel) => void): void {
  const model = modelAt(path);
  if (!model) return;
  const { start, end, text } = minimalEdit(model.getValue(), after);
  if (start === end && text === '') return;
  const range = rangeOf(model, { start, end });
  begin(model);
  model.pushEditOperations([], [{ range, text }], () => null);
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
