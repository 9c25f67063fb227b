import type * as Monaco from 'monaco-editor/editor/editor.api';
import { outlineOf, type OutlineEntry } from '../../core/fhir/outline.ts';

/** The outline of a record by its elements' names, for Monaco's quick outline. */
export function registerOutline(monaco: typeof Monaco): void {
  monaco.languages.registerDocumentSymbolProvider('json', {
    displayName: 'FHIR',
    provideDocumentSymbols: (model) => {
      const toSymbol = ({
        name,
        detail,
        start,
        end,
        children,
      }: OutlineEntry): Monaco.languages.DocumentSymbol => {
        const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
        return {
          // The quick outline shows and searches names alone.
          name: detail === '' ? name : `${name}  ${detail}`,
          detail: '',
          kind: monaco.languages.SymbolKind[children.length > 0 ? 'Object' : 'Field'],
          tags: [],
          range,
          selectionRange: range,
          children: children.map(toSymbol),
        };
      };
      return outlineOf(model.getValue()).map(toSymbol);
    },
  });
}
