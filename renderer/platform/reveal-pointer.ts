import type * as Monaco from 'monaco-editor/editor/editor.api';
import { JsonSyntaxError } from '../../core/json/json-problem.ts';
import type { Span } from '../../core/json/node.ts';
import { parsePointer } from '../../core/json/pointer.ts';
import { headOf, resolveNearest } from '../../core/json/nearest-element.ts';
import { scan } from '../../core/json/scan.ts';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { rangeOf } from './monaco-model.ts';

type Editor = Monaco.editor.ICodeEditor;

/** Pointers to reveal once a model is shown in an editor, by model path. */
const pendingPointers = new Map<string, string>();
/** Editors that are laid out. An editor before its layout would scroll by a wrong height. */
const readyEditors = new WeakSet<Editor>();
/** Callbacks that make a hidden editor visible. */
const revealListeners = new Set<() => void>();

/** Registers an editor. It reveals the pending pointers of its models. */
export function registerEditor(editor: Editor): void {
  readyEditors.add(editor);
  // Monaco restores the scroll position first when the model changes.
  editor.onDidChangeModel(() => queueMicrotask(revealWaiting));
  revealWaiting();
}

/**
 * Adds a listener that is called before something is revealed in an editor, which may be hidden. Returns the
 * function that removes it.
 */
export function onReveal(listener: () => void): () => void {
  revealListeners.add(listener);
  return () => void revealListeners.delete(listener);
}

/**
 * Scrolls to the element at a JSON Pointer, selects it and focuses the editor. Uses the nearest ancestor if
 * there is no such element. Waits for a model that is not shown yet.
 */
export function revealPointer(modelPath: string, pointer: string): void {
  const editor = editorOf(modelPath);
  if (editor) reveal(editor, pointer);
  else pendingPointers.set(modelPath, pointer);
}

function editorOf(modelPath: string): Editor | undefined {
  const model = modelAt(modelPath);
  return (
    model &&
    loadedMonaco()
      ?.editor.getEditors()
      .find((editor) => readyEditors.has(editor) && editor.getModel() === model)
  );
}

/** Opens the list of quick fixes at the cursor of the active text. */
export function openFixes(modelPath: string): void {
  editorOf(modelPath)?.trigger('fixes', 'editor.action.quickFix', {});
}

function revealWaiting(): void {
  for (const [path, pointer] of pendingPointers) {
    const editor = editorOf(path);
    if (!editor) continue;
    pendingPointers.delete(path);
    reveal(editor, pointer);
  }
}

function reveal(editor: Editor, pointer: string): void {
  const model = editor.getModel();
  const span = model && spanOf(model.getValue(), pointer);
  if (span) select(editor, model, span);
}

/** Reveals a span of the active text. */
export function revealSpan(modelPath: string, span: Span): void {
  const editor = editorOf(modelPath);
  const model = editor?.getModel();
  if (editor && model) select(editor, model, span);
}

/** Selects a span of the text, centers it if it was out of sight, and focuses the editor. */
function select(editor: Editor, model: Monaco.editor.ITextModel, span: Span): void {
  for (const notify of revealListeners) notify();
  show(editor, model, span);
  editor.focus();
}

function show(editor: Editor, model: Monaco.editor.ITextModel, span: Span): void {
  const range = rangeOf(model, span);
  editor.setSelection(range);
  editor.revealRangeInCenterIfOutsideViewport(range);
}

/** Scrolls one side of a comparison to the element at a pointer and selects it. The focus does not move. */
export function scrollToPointer(editor: Editor, pointer: string): void {
  const model = editor.getModel();
  if (model) show(editor, model, spanOf(model.getValue(), pointer));
}

/** Returns the span of the element at a pointer, or of the syntax error in a text that is not JSON. */
function spanOf(text: string, pointer: string): Span {
  try {
    return headOf(resolveNearest(scan(text).root, parsePointer(pointer) ?? []));
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.fault;
    throw error;
  }
}
