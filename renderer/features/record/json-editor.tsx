import type { OnMount } from '@monaco-editor/react';
import { useComputedColorScheme } from '@mantine/core';
import { memo, use, useMemo } from 'react';
import { editorOptions } from '../../platform/editor-options.ts';
import { wrapLongLines } from '../../platform/long-lines.ts';
import { registerFixes } from '../../platform/monaco-fixes.ts';
import { monacoModule } from '../../platform/monaco-loader.ts';
import { monacoThemes } from '../../platform/monaco-themes.ts';
import { usePreference } from '../../platform/preferences.ts';
import { registerEditor } from '../../platform/reveal-pointer.ts';
import { useLazyModule } from '../../ui/lazy-module.ts';
import { StatusContext } from '../../ui/status-store.ts';
import { RecordSkeleton } from '../../ui/record-skeleton.tsx';
import { text } from '../../ui/text.ts';

const openOptions = {
  ...editorOptions,
  glyphMargin: true,
  // Codes are strings, so suggestions are offered inside strings.
  quickSuggestions: { other: true, strings: true, comments: false },
  suggest: { showWords: false, snippetsPreventQuickSuggestions: false, preview: false },
  ariaLabel: text.record.editor,
} as const;

/** Line height per pixel of font size. */
const lineShare = editorOptions.lineHeight / editorOptions.fontSize;

export type EditorHandle = Parameters<OnMount>[0];

interface JsonEditorProps {
  readonly path: string;
  readonly readOnly: boolean;
  readonly onReady: (editor: EditorHandle) => void;
}

/** One Monaco editor for all record tabs. Each path has its own model, undo stack and view state. */
export const JsonEditor = memo(function JsonEditor({ path, readOnly, onReady }: JsonEditorProps) {
  const Editor = useLazyModule(monacoModule)?.Editor;
  const status = use(StatusContext);
  const scheme = useComputedColorScheme('light');
  const [fontSize] = usePreference('editorFont');
  const [minimap] = usePreference('minimap');
  const [isWrapped] = usePreference('wordWrap');

  const options = useMemo(
    () =>
      ({
        ...openOptions,
        readOnly,
        wordWrap: isWrapped ? 'on' : 'off',
        fontSize,
        lineHeight: Math.round(fontSize * lineShare),
        minimap: { enabled: minimap },
      }) as const,
    [readOnly, isWrapped, fontSize, minimap],
  );

  const onMount: OnMount = (editor) => {
    const reportCursor = () => {
      const position = editor.getPosition();
      if (position) status.moveCursor({ line: position.lineNumber, column: position.column });
    };
    editor.onDidChangeCursorPosition(reportCursor);
    editor.onDidChangeModel(reportCursor);
    reportCursor();
    wrapLongLines(editor);
    registerFixes();
    registerEditor(editor);
    onReady(editor);
  };

  if (!Editor) return <RecordSkeleton />;
  return (
    <Editor
      path={path}
      language="json"
      theme={monacoThemes[scheme]}
      keepCurrentModel
      // Monaco scopes its theme colors to this class. Its menus are rendered here, next to its editor.
      className="monaco-component"
      loading={<RecordSkeleton />}
      options={options}
      onMount={onMount}
    />
  );
});
