/**
 * The page that the workbench is compared with: one Monaco editor of the same build, options and colors. The
 * address contains the token, the record, and whether to open it at once or on Enter.
 */
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
import { editorOptions } from '../../../renderer/platform/editor-options.ts';
import { registerJson } from '../../../renderer/platform/monaco-json.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
registerJson(monaco);

const parameters = new URLSearchParams(location.hash.slice(1));
const container = document.getElementById('editor');
if (!container) throw new Error('The page has no place for the editor.');
const editor = monaco.editor.create(container, {
  ...editorOptions,
  fontFamily: 'monospace',
  language: 'json',
  value: '{}',
  automaticLayout: true,
});

async function open(): Promise<void> {
  const response = await fetch(`/fhir-r4/v1/${parameters.get('record') ?? ''}`, {
    headers: { Authorization: `Bearer ${parameters.get('bearer') ?? ''}` },
  });
  const text = JSON.stringify(JSON.parse(await response.text()), null, 2);
  editor.setModel(monaco.editor.createModel(text, 'json'));
  editor.focus();
}

if (parameters.has('now')) void open();
else
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Enter') void open();
    },
    { once: true },
  );
