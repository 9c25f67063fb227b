import type { OnMount } from '@monaco-editor/react';
import { useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, use } from 'react';
import { loadMonaco } from '../../platform/monaco-loader.ts';
import { monacoThemes } from '../../platform/monaco-themes.ts';
import { StatusContext } from '../../ui/status-store.ts';
import { text } from '../../ui/text.ts';
import { editorOptions } from './editor-options.ts';
import { RecordSkeleton } from './record-skeleton.tsx';

const openOptions = { ...editorOptions, ariaLabel: text.record.editor };
const lockedOptions = { ...openOptions, readOnly: true };

const Editor = lazy(async () => ({ default: (await loadMonaco()).Editor }));

export type EditorHandle = Parameters<OnMount>[0];

interface JsonEditorProps {
  readonly path: string;
  /** The text that a new model begins with; an existing model keeps its own. */
  readonly initialText: string;
  readonly readOnly: boolean;
  readonly onChange: (value: string) => void;
  readonly onReady: (editor: EditorHandle) => void;
}

/** One Monaco editor for all record tabs; each path has its own model, undo stack and view state. */
export function JsonEditor({ path, initialText, readOnly, onChange, onReady }: JsonEditorProps) {
  const status = use(StatusContext);
  const scheme = useComputedColorScheme('light');

  const onMount: OnMount = (editor) => {
    const follow = () => {
      const position = editor.getPosition();
      if (position) status.moveCursor({ line: position.lineNumber, column: position.column });
    };
    editor.onDidChangeCursorPosition(follow);
    editor.onDidChangeModel(follow);
    follow();
    onReady(editor);
  };

  return (
    <Suspense fallback={<RecordSkeleton />}>
      <Editor
        path={path}
        defaultValue={initialText}
        language="json"
        theme={monacoThemes[scheme]}
        keepCurrentModel
        loading={<RecordSkeleton />}
        options={readOnly ? lockedOptions : openOptions}
        onMount={onMount}
        onChange={(value) => onChange(value ?? '')}
      />
    </Suspense>
  );
}
