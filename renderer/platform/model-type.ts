import type * as Monaco from 'monaco-editor/editor/editor.api';
import { isResourceType, type ResourceType } from '../../core/fhir/resource.ts';

/** The type of the record in a model, which its address names: `chartkeeper:/CarePlan/...`. */
export function typeOfModel({ uri }: Monaco.editor.ITextModel): ResourceType | undefined {
  const [, type = ''] = uri.path.split('/');
  return uri.scheme === 'chartkeeper' && isResourceType(type) ? type : undefined;
}
