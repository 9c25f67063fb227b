import type { DateValue } from '../../core/fhir/search-criteria.ts';
import type { DatePrefix } from '../../core/fhir/search-parameters.ts';
import type { TimeRange } from '../../core/fhir/search-date.ts';
import { lastCharacter } from './dialect.ts';
import { joinAnd, sql, type Sql } from './sql.ts';

/**
 * Conditions on an element's range [low, high), in milliseconds since the epoch. All given bounds must be
 * met.
 */
export interface Bounds {
  /** `low` is this or later. */
  readonly lowFrom?: number;
  /** `low` is earlier than this. */
  readonly lowBelow?: number;
  /** `high` is later than this. */
  readonly highAbove?: number;
  /** `high` is this or earlier. */
  readonly highTo?: number;
}

type OfRange = (range: TimeRange) => readonly Bounds[];

/**
 * Bounds by prefix, with [low, high) the range of the value (FHIR R4 search.html#prefix). `eq` contains the
 * element's range. The others test if the element's range reaches into the time before or after; `ge` and
 * `le` include the value.
 */
const ofPeriod: Readonly<Record<DatePrefix, OfRange>> = {
  eq: ({ low, high }) => [{ lowFrom: low, lowBelow: high, highTo: high }],
  ne: ({ low, high }) => [{ lowBelow: low }, { highAbove: high }],
  gt: ({ high }) => [{ highAbove: high }],
  ge: ({ low }) => [{ highAbove: low }],
  lt: ({ low }) => [{ lowBelow: low }],
  le: ({ high }) => [{ lowBelow: high }],
  sa: ({ high }) => [{ lowFrom: high }],
  eb: ({ low }) => [{ highTo: low }],
  ap: ({ low, high }) => [{ lowBelow: high, highAbove: low }],
};

/** Bounds of an instant. Only `lowFrom` and `lowBelow` are used. */
const ofInstant: Readonly<Record<DatePrefix, OfRange>> = {
  eq: ({ low, high }) => [{ lowFrom: low, lowBelow: high }],
  ne: ({ low, high }) => [{ lowBelow: low }, { lowFrom: high }],
  gt: ({ high }) => [{ lowFrom: high }],
  ge: ({ low }) => [{ lowFrom: low }],
  lt: ({ low }) => [{ lowBelow: low }],
  le: ({ high }) => [{ lowBelow: high }],
  sa: ({ high }) => [{ lowFrom: high }],
  eb: ({ low }) => [{ lowBelow: low }],
  ap: ({ low, high }) => [{ lowFrom: low, lowBelow: high }],
};

/** Returns the bounds of a term's values. Any of the values may match. */
export function boundsOf(values: readonly DateValue[], rangeKind: 'period' | 'instant'): readonly Bounds[] {
  const table = rangeKind === 'period' ? ofPeriod : ofInstant;
  return values.flatMap((value) => table[value.prefix](value));
}

const tighter = {
  lowFrom: Math.max,
  highAbove: Math.max,
  lowBelow: Math.min,
  highTo: Math.min,
} as const;

const names = ['lowFrom', 'lowBelow', 'highAbove', 'highTo'] as const;

/** Returns the intersection of two bounds. */
export function narrow(bounds: Bounds, otherBounds: Bounds): Bounds {
  const intersection: { -readonly [Name in keyof Bounds]: Bounds[Name] } = {};
  for (const name of names) {
    const values = [bounds[name], otherBounds[name]].filter((value) => value !== undefined);
    if (values.length > 0) intersection[name] = tighter[name](...values);
  }
  return intersection;
}

/** Ranges up to this length are found by their start. */
const day = 24 * 60 * 60 * 1000;

/** Condition for long ranges. A partial index has them by their end. */
const isLong = `high - low > ${day}`;

/** Returns the conditions on the columns `low` and `high` of an index row. */
export function periodConditions({ lowFrom, lowBelow, highAbove, highTo }: Bounds): Sql[] {
  return [
    ...(lowFrom === undefined ? [] : [sql('low >= ?', lowFrom)]),
    ...(lowBelow === undefined ? [] : [sql('low < ?', lowBelow)]),
    ...(highAbove === undefined ? [] : [sql('high > ?', highAbove)]),
    ...(highTo === undefined ? [] : [sql('high <= ?', highTo)]),
  ];
}

/**
 * Returns the same conditions as index lookups that find every row once. A range that ends after an instant
 * is found by its end if it is long, otherwise by its start, which is at most a day earlier.
 */
export function periodEntries(bounds: Bounds): Sql[] {
  const { highAbove, highTo } = bounds;
  // A range never ends before it begins.
  if (highAbove === undefined)
    return [
      joinAnd(periodConditions(highTo === undefined ? bounds : narrow(bounds, { lowBelow: highTo + 1 }))),
    ];
  const shortBounds = narrow(bounds, { lowFrom: highAbove - day });
  return [
    joinAnd([sql(`NOT (${isLong})`), ...periodConditions(shortBounds)]),
    joinAnd([sql(isLong), ...periodConditions(bounds)]),
  ];
}

/** Returns the conditions on a column with an instant as text. */
export function updatedConditions(column: string, { lowFrom, lowBelow }: Bounds): Sql[] {
  return [
    ...(lowFrom === undefined ? [] : [sql(`${column} >= ?`, instant(lowFrom))]),
    ...(lowBelow === undefined ? [] : [sql(`${column} < ?`, instant(lowBelow))]),
  ];
}

/** Years beyond 9999 have a sign, which would sort before digits. */
function instant(time: number): string {
  const text = new Date(time).toISOString();
  return /^\d/.test(text) ? text : time < 0 ? '' : lastCharacter;
}
