import { isResourceType, type ResourceType } from '../../../core/fhir/resource.ts';

export interface ExportForm {
  /** Empty for both types. */
  readonly type: ResourceType | '';
  /** Search parameters as in an address, joined with `&`. */
  readonly criteria: string;
}

/** The query of the export; a `?` or an address' path before the criteria is taken off, a type in it wins. */
export function exportQuery({ type, criteria }: ExportForm): string {
  const typed = criteria.trim();
  const mark = typed.indexOf('?');
  const query = typed.slice(mark + 1);
  const named = typed.slice(0, Math.max(0, mark)).split('/').at(-1) ?? '';
  const wanted = isResourceType(named) ? named : type;
  return [...(wanted === '' ? [] : [`type=${wanted}`]), ...(query === '' ? [] : [query])].join('&');
}
