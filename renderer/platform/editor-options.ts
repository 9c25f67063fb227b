import type { EditorProps } from '@monaco-editor/react';

/** Options that the JSON editor and the diff share. */
export const editorOptions = {
  fontSize: 13,
  lineHeight: 20,
  fontFamily: 'var(--mantine-font-family-monospace)',
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  smoothScrolling: false,
  cursorBlinking: 'solid',
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: false,
  folding: true,
  // Links would leave the machine. Dropped and pasted content is plain text.
  links: false,
  dropIntoEditor: { enabled: false },
  pasteAs: { enabled: false },
  codeLens: false,
  stickyScroll: { enabled: false },
  colorDecorators: false,
  readOnly: false,
  unusualLineTerminators: 'off',
  unicodeHighlight: { ambiguousCharacters: false, invisibleCharacters: false },
  renderLineHighlight: 'all',
  hideCursorInOverviewRuler: true,
  renderWhitespace: 'none',
  overviewRulerBorder: false,
  fixedOverflowWidgets: true,
  wordBasedSuggestions: 'off',
  padding: { top: 8, bottom: 8 },
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
} as const satisfies EditorProps['options'];
