/**
 * What the workbench is measured beside: one Monaco editor, of the same build, options and colours, and nothing else.
 * The address says whose token to read with, which record, and whether at once or at the press of Enter.
 */
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
import { editorOptions } from '../../../renderer/platform/editor-options.ts';
import { registerJson } from '../../../renderer/platform/monaco-json.ts';

self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
registerJson(monaco);

const asked = new URLSearchParams(location.hash.slice(1));
const place = document.getElementById('editor');
if (!place) throw new Error('The page has no place for the editor.');
const editor = monaco.editor.create(place, {
  ...editorOptions,
  fontFamily: 'monospace',
  language: 'json',
  value: '{}',
  automaticLayout: true,
});

async function open(): Promise<void> {
  const answer = await fetch(`/fhir-r4/v1/${asked.get('record') ?? ''}`, {
    headers: { Authorization: `Bearer ${asked.get('bearer') ?? ''}` },
  });
  const text = JSON.stringify(JSON.parse(await answer.text()), null, 2);
  editor.setModel(monaco.editor.createModel(text, 'json'));
  editor.focus();
}

if (asked.has('now')) void open();
else
  addEventListener(
    'keydown',
    ({ key }) => {
      if (key === 'Enter') void open();
    },
    { once: true },
  );
