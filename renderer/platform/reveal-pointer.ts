import type * as Monaco from 'monaco-editor/editor/editor.api';
import { JsonSyntaxError } from '../../core/json/fault.ts';
import type { Span } from '../../core/json/node.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { headOf, reach } from '../../core/json/reach.ts';
import { scan } from '../../core/json/scan.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { rangeOf } from './monaco-model.ts';

type Editor = Monaco.editor.ICodeEditor;

/** What is to be revealed once a model is shown in an editor. */
const waiting = new Map<string, string>();
/** Editors that are laid out: one that was only made would scroll by a height that it does not have. */
const ready = new WeakSet<Editor>();
/** Who shows an editor that is out of sight. */
const showers = new Set<() => void>();

/** Makes an editor one that reveals what was waited for with its models. */
export function registerEditor(editor: Editor): void {
  ready.add(editor);
  // Whoever changes the model puts its last scroll position back first.
  editor.onDidChangeModel(() => queueMicrotask(revealWaiting));
  revealWaiting();
}

/** Hears that something is about to be revealed in an editor, which may be out of sight; returns how to stop. */
export function onReveal(show: () => void): () => void {
  showers.add(show);
  return () => void showers.delete(show);
}

/**
 * Scrolls to the element at a JSON Pointer, selects it and gives the editor the focus; where there is no such element,
 * its nearest ancestor. A model that is not shown yet is waited for.
 */
export function revealPointer(modelPath: string, pointer: string): void {
  const editor = editorOf(modelPath);
  if (editor) reveal(editor, pointer);
  else waiting.set(modelPath, pointer);
}

function editorOf(modelPath: string): Editor | undefined {
  const model = modelAt(modelPath);
  return (
    model &&
    loadedMonaco()
      ?.editor.getEditors()
      .find((editor) => ready.has(editor) && editor.getModel() === model)
  );
}

/** Opens the list of quick fixes at the cursor of the text that is in front. */
export function openFixes(modelPath: string): void {
  editorOf(modelPath)?.trigger('fixes', 'editor.action.quickFix', {});
}

function revealWaiting(): void {
  for (const [path, pointer] of waiting) {
    const editor = editorOf(path);
    if (!editor) continue;
    waiting.delete(path);
    reveal(editor, pointer);
  }
}

function reveal(editor: Editor, pointer: string): void {
  const model = editor.getModel();
  const span = model && spanOf(model.getValue(), pointer);
  if (span) select(editor, model, span);
}

/** Does the same for a stretch of the text that is in front, where no pointer leads. */
export function revealSpan(modelPath: string, span: Span): void {
  const editor = editorOf(modelPath);
  const model = editor?.getModel();
  if (editor && model) select(editor, model, span);
}

/** Selects a stretch of the text, in the middle of the window where it was out of sight, and goes there. */
function select(editor: Editor, model: Monaco.editor.ITextModel, span: Span): void {
  for (const bring of showers) bring();
  show(editor, model, span);
  editor.focus();
}

function show(editor: Editor, model: Monaco.editor.ITextModel, span: Span): void {
  const range = rangeOf(model, span);
  editor.setSelection(range);
  editor.revealRangeInCenterIfOutsideViewport(range);
}

/** Scrolls one side of a comparison to the element at a pointer and selects it; the focus stays where it is. */
export function showPointer(editor: Editor, pointer: string): void {
  const model = editor.getModel();
  if (model) show(editor, model, spanOf(model.getValue(), pointer));
}

/** Where the element at a pointer stands in a text; in a text that is not JSON, where it stops to be that. */
function spanOf(text: string, pointer: string): Span {
  try {
    return headOf(reach(scan(text).root, parsePointer(pointer) ?? []));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.fault;
    throw error;
  }
}
