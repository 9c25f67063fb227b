import type * as Monaco from 'monaco-editor/editor/editor.api';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { Span } from '../../core/json/node.ts';

/** Returns the type of the record in a model, from its address `chartkeeper:/CarePlan/...`. */
export function typeOfModel({ uri }: Monaco.editor.ITextModel): ResourceType | undefined {
  const [, type = ''] = uri.path.split('/');
  return uri.scheme === 'chartkeeper' && isResourceType(type) ? type : undefined;
}

/** Converts a span to lines and columns. */
export function rangeOf(model: Monaco.editor.ITextModel, { start, end }: Span): Monaco.IRange {
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}

/** Escapes text so that Markdown shows it literally. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-!<>|]/g, '\\$&');
}
