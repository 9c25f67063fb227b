import type { EditorProps } from '@monaco-editor/react';

/** How JSON is shown and edited; shared by the editor and the diff. */
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
  // A link would leave the machine; what is dropped or pasted is text.
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
