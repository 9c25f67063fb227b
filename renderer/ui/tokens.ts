/**
 * Basis of all features: tokens, theme, texts, formats, small components. It knows no feature.
 * Invariant: colors come from these tokens, texts from text.ts, and both themes meet AA.
 */

const light = {
  /** Four neutral steps: window frame, panels and bars, content, hovered or selected. */
  chrome: '#e9ebef',
  panel: '#f4f5f7',
  content: '#ffffff',
  raised: '#e3e7ed',
  border: '#d3d8df',
  borderStrong: '#89919e',
  text: '#1a1e25',
  dim: '#545c69',
  faint: '#687182',
  accent: '#1f5fcc',
  accentText: '#1a55b8',
  accentSoft: '#dfe9fa',
  info: '#1f5fcc',
  good: '#177245',
  warning: '#8a5a00',
  danger: '#b3261e',
  neutral: '#6a7280',
  local: '#0f8468',
  lineHighlight: '#f4f6fa',
  selection: '#cfe0fb',
  syntaxKey: '#0b5394',
  syntaxString: '#7a3e00',
  syntaxNumber: '#0b6b45',
  syntaxKeyword: '#7b2fa8',
};

export type Tokens = typeof light;

const dark: Tokens = {
  chrome: '#14161a',
  panel: '#1a1d22',
  content: '#1f2329',
  raised: '#2c323b',
  border: '#333943',
  borderStrong: '#717b89',
  text: '#dde2e8',
  dim: '#a0a9b5',
  faint: '#8791a0',
  accent: '#2f6fdb',
  accentText: '#82b1ff',
  accentSoft: '#24344f',
  info: '#6ea8fe',
  good: '#56c08a',
  warning: '#e0ac4c',
  danger: '#f28b82',
  neutral: '#98a2af',
  local: '#2fae8c',
  lineHighlight: '#252a31',
  selection: '#2d4a77',
  syntaxKey: '#8cc4ff',
  syntaxString: '#e2b58a',
  syntaxNumber: '#8fd6ae',
  syntaxKeyword: '#d3a6f0',
};

export const tokens = { light, dark } as const;
