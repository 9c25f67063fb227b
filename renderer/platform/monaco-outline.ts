import type * as Monaco from 'monaco-editor/editor/editor.api';
import { outlineOf, type OutlineEntry } from '../../core/fhir/outline.ts';
import { isWanted, wordsAt } from '../../core/fhir/profiles/digest.ts';
import { text } from '../ui/text.ts';
import { rangeOf, typeOfModel } from './monaco-model.ts';
import { digestsIn } from './profile-digests.ts';

/** The outline of a record by its elements' names, for Monaco's quick outline. */
export function registerOutline(monaco: typeof Monaco): void {
  monaco.languages.registerDocumentSymbolProvider('json', {
    displayName: 'FHIR',
    provideDocumentSymbols: (model) => {
      const type = typeOfModel(model) ?? '';
      const digests = digestsIn(model);
      const toSymbol = (
        { name, detail, children, ...span }: OutlineEntry,
        owner: readonly string[],
      ): Monaco.languages.DocumentSymbol => {
        const tokens = [...owner, name.replace(/\[\d+\]$/, '')];
        const mark = isWanted(wordsAt(digests, type, tokens)) ? `  ${text.profiles.mark}` : '';
        const range = rangeOf(model, span);
        return {
          // The quick outline shows and searches names alone.
          name: (detail === '' ? name : `${name}  ${detail}`) + mark,
          detail: '',
          kind: monaco.languages.SymbolKind[children.length > 0 ? 'Object' : 'Field'],
          tags: [],
          range,
          selectionRange: range,
          children: children.map((child) => toSymbol(child, tokens)),
        };
      };
      return outlineOf(model.getValue()).map((entry) => toSymbol(entry, []));
    },
  });
}
