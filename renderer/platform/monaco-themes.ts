import type * as Monaco from 'monaco-editor/editor/editor.api';
import { tokens, type Tokens } from '../ui/tokens.ts';

export const monacoThemes = { light: 'chartkeeper-light', dark: 'chartkeeper-dark' } as const;

function themeData(t: Tokens, base: 'vs' | 'vs-dark'): Monaco.editor.IStandaloneThemeData {
  const stripHash = (color: string) => color.slice(1);
  return {
    base,
    inherit: true,
    rules: [
      { token: 'string.key.json', foreground: stripHash(t.syntaxKey) },
      { token: 'string.value.json', foreground: stripHash(t.syntaxString) },
      { token: 'number.json', foreground: stripHash(t.syntaxNumber) },
      { token: 'keyword.json', foreground: stripHash(t.syntaxKeyword) },
      { token: 'delimiter', foreground: stripHash(t.dim) },
    ],
    colors: {
      'editor.background': t.content,
      'editor.foreground': t.text,
      'editorGutter.background': t.content,
      'editorLineNumber.foreground': t.faint,
      'editorLineNumber.activeForeground': t.text,
      'editor.lineHighlightBackground': t.lineHighlight,
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': t.selection,
      // Highlight of a revealed element, instead of Monaco's yellow.
      'editor.rangeHighlightBackground': `${t.accent}24`,
      'editor.symbolHighlightBackground': `${t.accent}24`,
      'editorIndentGuide.background1': t.border,
      'editorIndentGuide.activeBackground1': t.borderStrong,
      'editorBracketMatch.background': t.selection,
      'editorBracketMatch.border': '#00000000',
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`editorBracketHighlight.foreground${n}`, t.dim])),
      'editorWidget.background': t.panel,
      'editorWidget.border': t.border,
      'editorHoverWidget.background': t.panel,
      'editorHoverWidget.border': t.border,
      'editorError.foreground': t.danger,
      'editorOverviewRuler.border': '#00000000',
      'editorOverviewRuler.bracketMatchForeground': '#00000000',
      'diffEditor.insertedTextBackground': `${t.good}40`,
      'diffEditor.insertedLineBackground': `${t.good}1c`,
      'diffEditor.removedTextBackground': `${t.danger}3a`,
      'diffEditor.removedLineBackground': `${t.danger}18`,
      'diffEditor.diagonalFill': t.border,
      'diffEditor.unchangedRegionBackground': t.panel,
      'diffEditor.unchangedRegionForeground': t.dim,
      focusBorder: t.accent,
      'menu.background': t.panel,
      'menu.foreground': t.text,
      'menu.border': t.border,
      'menu.selectionBackground': t.accent,
      'menu.selectionForeground': '#ffffff',
      'input.background': t.content,
      'input.border': t.borderStrong,
      'scrollbarSlider.background': `${t.neutral}40`,
      'scrollbarSlider.hoverBackground': `${t.neutral}70`,
      'scrollbarSlider.activeBackground': `${t.neutral}90`,
      'scrollbar.shadow': '#00000000',
      'widget.shadow': '#00000040',
    },
  };
}

/** Defines the light and dark theme of the editor from the tokens of the interface. */
export function defineThemes(monaco: typeof Monaco): void {
  monaco.editor.defineTheme(monacoThemes.light, themeData(tokens.light, 'vs'));
  monaco.editor.defineTheme(monacoThemes.dark, themeData(tokens.dark, 'vs-dark'));
}
