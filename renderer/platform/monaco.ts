import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
// All of them, and before the first editor: a feature that registers after Monaco's services have started makes the
// next editor fail ("depends on UNKNOWN service").
import 'monaco-editor/features/register.all';
import { registerFhir } from './monaco-fhir.ts';
import { registerJson } from './monaco-json.ts';
import { registerOutline } from './monaco-outline.ts';
import { defineThemes } from './monaco-themes.ts';

// One worker for all editors: links, word lists and diffs.
self.MonacoEnvironment = { getWorker: () => new EditorWorker() };
registerJson(monaco);
registerFhir(monaco);
registerOutline(monaco);
defineThemes(monaco);
loader.config({ monaco });

export { monaco };
export { Editor } from '@monaco-editor/react';
