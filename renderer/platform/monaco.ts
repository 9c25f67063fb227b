import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
// All of them, and before the first editor: the JSON mode loads them later in any case, and a feature that registers
// after Monaco's services have started makes the next editor fail ("depends on UNKNOWN service").
import 'monaco-editor/features/register.all';
import { jsonDefaults } from 'monaco-editor/languages/features/json/register';
import JsonWorker from 'monaco-editor/language/json/json.worker?worker';
import { defineThemes } from './monaco-themes.ts';

// No JSON formatter of Monaco's own: core/json is the one that keeps digits.
self.MonacoEnvironment = {
  getWorker: (_id, label) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
};
jsonDefaults.setDiagnosticsOptions({ validate: true, allowComments: false, enableSchemaRequest: false });
jsonDefaults.setModeConfiguration({
  ...jsonDefaults.modeConfiguration,
  documentFormattingEdits: false,
  documentRangeFormattingEdits: false,
  colors: false,
});
defineThemes(monaco);
loader.config({ monaco });

export { monaco };
export { DiffEditor, Editor } from '@monaco-editor/react';
