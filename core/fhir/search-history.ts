import { formatList } from '../text/language.ts';
import { resultParametersOf } from './search-parameters.ts';
import { FhirError } from './outcome.ts';
import { formatPlace, isStoreText, parsePlace } from './search-cursor.ts';
import { dateRange } from './search-date.ts';
import { readCount } from './search-results.ts';
import { searchMessages } from './search-messages.ts';
import { badValue, locationOf } from './search-values.ts';

export interface HistoryCriteria {
  readonly count?: number;
  /** An instant with milliseconds in UTC: versions stored then or later. */
  readonly since?: string;
  /** A version's place in the history, in the store's format. */
  readonly after?: string;
  readonly pretty: boolean;
  /** The applied pairs, for the `self` link. */
  readonly usedPairs: readonly (readonly [name: string, value: string])[];
}

/**
 * Parses the query of a history (FHIR R4 http.html#history): `_count`, `_since`, `_cursor`.
 *
 * @throws FhirError `not-accepted` for an unknown parameter, unless `lenient`; `value` for an unusable value.
 */
export function readHistoryCriteria(
  pairs: readonly (readonly [name: string, value: string])[],
  { lenient = false }: { readonly lenient?: boolean } = {},
): HistoryCriteria {
  const allowedValues = new Map(
    resultParametersOf('history').map((parameter) => [parameter.name, parameter.values]),
  );
  const values = new Map<string, string>();
  for (const [name, value] of pairs) {
    if (!allowedValues.has(name)) {
      if (lenient) continue;
      throw new FhirError('not-accepted', {
        ...searchMessages.unknownInHistory({ names: formatList([...allowedValues.keys()]) }),
        location: locationOf(name),
      });
    }
    if (value.trim() === '') throw badValue(name, searchMessages.noValue({ name }));
    if (values.has(name)) throw badValue(name, searchMessages.repeated({ name }));
    if (allowedValues.get(name)?.includes(value) === false) {
      throw badValue(name, searchMessages.boolean({ name }));
    }
    values.set(name, value);
  }
  const count = readCount(values.get('_count'));
  const since = readSince(values.get('_since'));
  const after = readPlace(values.get('_cursor'));
  if (count !== undefined) values.set('_count', String(count));
  return {
    pretty: values.get('_pretty') === 'true',
    usedPairs: [...values],
    ...(count !== undefined && { count }),
    ...(since !== undefined && { since }),
    ...(after !== undefined && { after }),
  };
}

/** Formats the value of `_cursor` that starts a page after a version. */
export function formatHistoryCursor(place: string): string {
  return formatPlace(['_history', place]);
}

function readSince(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const range = dateRange(value);
  if (!range) throw badValue('_since', searchMessages.instant({ name: '_since' }));
  return new Date(range.low).toISOString();
}

function readPlace(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [kind, place, ...extraItems] = parsePlace(value) ?? [];
  if (kind === '_history' && isStoreText(place) && extraItems.length === 0) return place;
  throw badValue('_cursor', searchMessages.nextLink({ name: '_cursor' }));
}
