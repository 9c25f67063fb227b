/**
 * Copies a text from its state to its editor, and the user's edits from the editor to the state.
 * Invariant: nothing else writes the model of a bound text.
 */
import type * as Monaco from 'monaco-editor/editor/editor.api';
import { loadedMonaco, modelAt } from './monaco-loader.ts';
import { replaceModelText } from './monaco-text.ts';

/** Order of an edit in its editor: the text before it, and the number of edits since the editor opened. */
export interface EditOrigin {
  readonly before: string;
  readonly number: number;
}

export interface BoundText {
  readonly text: string;
  /** Number of the last edit in the editor that the state has received. */
  readonly lastEdit: number;
  /** True if one undo reverts the text together with the user's last edit. */
  readonly amendsLastStep: boolean;
  /** Receives a new text. An edit in the editor has an origin. */
  readonly onEdit: (text: string, origin?: EditOrigin) => void;
}

const bindings = new WeakMap<Monaco.editor.ITextModel, ReturnType<typeof bind>>();

/** Copies a text to its model, and creates the model if there is none. */
export function copyToModel(path: string, source: BoundText): void {
  const monaco = loadedMonaco();
  if (!monaco) return;
  const model = modelAt(path) ?? monaco.editor.createModel(source.text, 'json', monaco.Uri.parse(path));
  const binding = bindings.get(model) ?? bind(model, source);
  binding.source = source;
  // Edits that the state has not received yet come first. The state changes again when it receives them.
  if (source.lastEdit !== binding.lastEdit || source.text === binding.text) return;
  binding.isCopying = true;
  try {
    replaceModelText(path, source.text, source.amendsLastStep);
  } finally {
    binding.isCopying = false;
  }
  binding.text = source.text;
  // Monaco gives all lines of a text the same line end. The state receives the text as it is shown.
  binding.reportEdit();
}

/** Returns the text of a model, the number of the last edit in its editor, and the report of an edit. */
function bind(model: Monaco.editor.ITextModel, source: BoundText) {
  const binding = { source, text: model.getValue(), lastEdit: source.lastEdit, isCopying: false, reportEdit };
  function reportEdit(): void {
    const { text: before, isCopying } = binding;
    const text = model.getValue();
    if (isCopying || text === before) return;
    binding.text = text;
    binding.lastEdit += 1;
    binding.source.onEdit(text, { before, number: binding.lastEdit });
  }
  model.onDidChangeContent(reportEdit);
  bindings.set(model, binding);
  return binding;
}

/** Replaces a text in its state, or in its model if no state has it. */
export function replaceText(path: string, newText: string): void {
  const model = modelAt(path);
  const binding = model && bindings.get(model);
  if (binding) binding.source.onEdit(newText);
  else replaceModelText(path, newText);
}
