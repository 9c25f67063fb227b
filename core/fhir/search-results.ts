import { formatList } from '../text/language.ts';
import { limits } from './limits.ts';
import { FhirError } from './outcome.ts';
import type { ResourceType } from './resource.ts';
import { latestFirst, type Projection, type SearchCriteria, type SortKey } from './search-criteria.ts';
import { parseCursor } from './search-cursor.ts';
import { resultParameters, searchParametersOf } from './search-parameters.ts';
import { searchMessages } from './search-messages.ts';
import { alternatives, badValue } from './search-values.ts';

/** Values of the parameters that shape the response. Each may occur once. */
export type ResultValues = Map<string, string>;

type Shape = Omit<SearchCriteria, 'type' | 'terms' | 'includes' | 'usedPairs'>;

/**
 * Parses `_count`, `_cursor`, `_sort`, `_summary`, `_elements`, `_total` and `_pretty` (FHIR R4 search.html#return).
 *
 * @throws FhirError `value`, or `not-accepted` for an unsupported order.
 */
export function readResults(type: ResourceType, values: ResultValues): Shape {
  for (const { name, values: allowedValues } of resultParameters) {
    const value = values.get(name);
    if (value !== undefined && allowedValues && !allowedValues.includes(value)) {
      throw badValue(name, searchMessages.oneOf({ name, values: formatList(allowedValues, 'disjunction') }));
    }
  }
  const sort = readSort(type, values.get('_sort'));
  const count = readCount(values.get('_count'));
  const cursor = readCursor(sort, values.get('_cursor'));
  const projection = readProjection(type, values);
  return {
    sort,
    totalOnly: count === 0 || values.get('_summary') === 'count',
    withoutTotal: values.get('_total') === 'none',
    pretty: values.get('_pretty') === 'true',
    ...(count !== undefined && { count }),
    ...(cursor && { cursor }),
    ...(projection && { projection }),
  };
}

/**
 * Parses `_count`: 0 to 1000; larger numbers count as 1000 (row 57).
 *
 * @throws FhirError `value` if it is not a whole number.
 */
export function readCount(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[0-9]+$/.test(value)) throw badValue('_count', searchMessages.count({ name: '_count' }));
  return Math.min(Number(value), limits.page);
}

function readCursor(sort: readonly SortKey[], value: string | undefined) {
  if (value === undefined) return undefined;
  const cursor = parseCursor(sort, value);
  if (cursor) return cursor;
  throw badValue('_cursor', searchMessages.link({ name: '_cursor' }));
}

function readSort(type: ResourceType, value: string | undefined): readonly SortKey[] {
  if (value === undefined) return latestFirst;
  const keys = alternatives('_sort', value).map((part): SortKey => {
    const name = part.replace(/^-/, '');
    const sorting = searchParametersOf(type).filter(({ sort }) => sort !== undefined);
    const column = sorting.find((parameter) => parameter.name === name)?.sort;
    if (column) return { column, descending: part.startsWith('-') };
    throw new FhirError('not-accepted', {
      ...searchMessages.sort({ type, names: formatList(sorting.map((parameter) => parameter.name)) }),
      location: 'http._sort',
    });
  });
  // A repeated column has no effect on the order.
  return keys.filter(({ column }, index) => keys.findIndex((key) => key.column === column) === index);
}

/** Returns the requested part of each record; undefined for the whole record. */
export function readProjection(type: ResourceType, values: ResultValues): Projection | undefined {
  const summary = values.get('_summary');
  const list = values.get('_elements');
  if (list === undefined) {
    return summary === 'true' || summary === 'text' || summary === 'data' ? { summary } : undefined;
  }
  if (summary !== undefined && summary !== 'false' && summary !== 'count') {
    throw badValue('_elements', searchMessages.withSummary({ name: '_elements' }));
  }
  const elements = alternatives('_elements', list).map((part) => part.replace(`${type}.`, ''));
  if (elements.every((name) => /^[A-Za-z]{1,64}$/.test(name))) return { elements };
  throw badValue('_elements', searchMessages.elements({ name: '_elements' }));
}
