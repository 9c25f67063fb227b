import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';

export interface ExportForm {
  /** Empty for both types. */
  readonly type: ResourceType | '';
  /** Search parameters as in a URL, joined with `&`. */
  readonly criteria: string;
}

/**
 * Returns the query of the export. Removes a `?` or URL path before the criteria; a type in the path takes
 * precedence.
 */
export function exportQuery({ type, criteria }: ExportForm): string {
  const trimmedCriteria = criteria.trim();
  const queryOffset = trimmedCriteria.indexOf('?');
  const query = trimmedCriteria.slice(queryOffset + 1);
  const pathType = trimmedCriteria.slice(0, Math.max(0, queryOffset)).split('/').at(-1) ?? '';
  const resourceType = isResourceType(pathType) ? pathType : type;
  return [...(resourceType === '' ? [] : [`type=${resourceType}`]), ...(query === '' ? [] : [query])].join(
    '&',
  );
}
