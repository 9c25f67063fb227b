import type * as Monaco from 'monaco-editor/editor/editor.api';

/**
 * Registers JSON with Monaco. Its own JSON mode is not used, because its worker would validate the text again
 * by other rules.
 */
export function registerJson({ languages }: typeof Monaco): void {
  languages.register({ id: 'json', extensions: ['.json'], aliases: ['JSON'] });
  languages.setLanguageConfiguration('json', {
    wordPattern: /(-?\d*\.\d\w*)|([^[{\]}:",\s]+)/,
    brackets: [
      ['{', '}'],
      ['[', ']'],
    ],
    autoClosingPairs: [
      { open: '{', close: '}', notIn: ['string'] },
      { open: '[', close: ']', notIn: ['string'] },
      { open: '"', close: '"', notIn: ['string'] },
    ],
    indentationRules: { increaseIndentPattern: /[{[]\s*$/, decreaseIndentPattern: /^\s*[}\]]/ },
  });
  languages.setMonarchTokensProvider('json', {
    tokenPostfix: '.json',
    tokenizer: {
      root: [
        [/"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*:)/, 'string.key'],
        [/"[^"\\]*(?:\\.[^"\\]*)*"?/, 'string.value'],
        [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
        [/true|false|null/, 'keyword'],
        [/[{}[\]]/, '@brackets'],
        [/[,:]/, 'delimiter'],
      ],
    },
  });
}
