import type * as Monaco from 'monaco-editor/editor/editor.api';

/**
 * JSON as Monaco colours and edits it. Monaco's own JSON mode is left out: its worker would judge the text a second
 * time, by rules of its own.
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
