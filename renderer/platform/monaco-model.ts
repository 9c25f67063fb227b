import type * as Monaco from 'monaco-editor/editor/editor.api';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';
import type { Span } from '../../core/json/node.ts';

/** The type of the record in a model, which its address names: `chartkeeper:/CarePlan/...`. */
export function typeOfModel({ uri }: Monaco.editor.ITextModel): ResourceType | undefined {
  const [, type = ''] = uri.path.split('/');
  return uri.scheme === 'chartkeeper' && isResourceType(type) ? type : undefined;
}

/** A stretch of a text by lines and columns. */
export function rangeOf(model: Monaco.editor.ITextModel, { start, end }: Span): Monaco.IRange {
  const [from, to] = [model.getPositionAt(start), model.getPositionAt(end)];
  return {
    ...{ startLineNumber: from.lineNumber, startColumn: from.column },
    ...{ endLineNumber: to.lineNumber, endColumn: to.column },
  };
}

/** Text as it is, not as Markdown. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_{}[\]()#+\-!<>|]/g, '\\$&');
}
