import { loader } from '@monaco-editor/react';
import * as monaco from 'monaco-editor/editor/editor.api';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
// All of them, and before the first editor: a feature that registers after Monaco's services have started makes the
// next editor fail ("depends on UNKNOWN service").
import 'monaco-editor/features/register.all';
import { afterPaint } from '../ui/after-paint.ts';
import { registerFhir } from './monaco-fhir.ts';
import { registerJson } from './monaco-json.ts';
import { registerOutline } from './monaco-outline.ts';
import { takeScrolling } from './monaco-scrolling.ts';
import { defineThemes } from './monaco-themes.ts';

/** The next worker, there before it is asked for: a comparison must not need a server that may be gone by then. */
let spare: Worker | undefined;
const startSpare = () => afterPaint(() => (spare ??= new EditorWorker()), 1000);
// One worker for all editors: word lists and diffs. Monaco ends it after a while of rest.
self.MonacoEnvironment = {
  getWorker() {
    const worker = spare ?? new EditorWorker();
    spare = undefined;
    startSpare();
    return worker;
  },
};
startSpare();
registerJson(monaco);
registerFhir(monaco);
registerOutline(monaco);
takeScrolling(monaco);
defineThemes(monaco);
loader.config({ monaco });

export { monaco };
export { Editor } from '@monaco-editor/react';
