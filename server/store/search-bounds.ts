import type { DateValue } from '../../core/fhir/search-criteria.ts';
import type { DatePrefix } from '../../core/fhir/search-parameters.ts';
import type { TimeRange } from '../../core/fhir/search-date.ts';
import { lastCharacter } from './dialect.ts';
import { every, sql, type Sql } from './sql.ts';

/** What a search asks of an element's range [low, high), in milliseconds since the epoch: all that is given. */
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
 * FHIR R4 search.html#prefix, with [low, high) the value's range, any of the bounds: `eq` contains the element's range; the
 * others ask whether the element's range reaches into the time after or before, the value's own included for `ge` and `le`.
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

/** The same of an instant, which `lowFrom` and `lowBelow` alone bound. */
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

/** The bounds of a term's values, any of which may hold. */
export function boundsOf(values: readonly DateValue[], of: 'period' | 'instant'): readonly Bounds[] {
  const table = of === 'period' ? ofPeriod : ofInstant;
  return values.flatMap((value) => table[value.prefix](value));
}

const tighter = {
  lowFrom: Math.max,
  highAbove: Math.max,
  lowBelow: Math.min,
  highTo: Math.min,
} as const;

const names = ['lowFrom', 'lowBelow', 'highAbove', 'highTo'] as const;

/** What two bounds of one range ask together. */
export function narrowed(one: Bounds, other: Bounds): Bounds {
  const both: { -readonly [Name in keyof Bounds]: Bounds[Name] } = {};
  for (const name of names) {
    const values = [one[name], other[name]].filter((value) => value !== undefined);
    if (values.length > 0) both[name] = tighter[name](...values);
  }
  return both;
}

/** Ranges that are no longer than this are found by where they begin. */
const day = 24 * 60 * 60 * 1000;

/** What tells the long ranges from the others: an index holds them alone, by where they end. */
const isLong = `high - low > ${day}`;

/** The conditions on the columns `low` and `high` of an index row. */
export function periodConditions({ lowFrom, lowBelow, highAbove, highTo }: Bounds): Sql[] {
  return [
    ...(lowFrom === undefined ? [] : [sql('low >= ?', lowFrom)]),
    ...(lowBelow === undefined ? [] : [sql('low < ?', lowBelow)]),
    ...(highAbove === undefined ? [] : [sql('high > ?', highAbove)]),
    ...(highTo === undefined ? [] : [sql('high <= ?', highTo)]),
  ];
}

/**
 * The same as ways into an index, which together lead to every row once: what ends after a time is found among the long
 * ranges by their end, among the others by their beginning, which lies a day before it at most.
 */
export function periodEntries(bounds: Bounds): Sql[] {
  const { highAbove, highTo } = bounds;
  // No range ends before it begins.
  if (highAbove === undefined)
    return [
      every(periodConditions(highTo === undefined ? bounds : narrowed(bounds, { lowBelow: highTo + 1 }))),
    ];
  const short = narrowed(bounds, { lowFrom: highAbove - day });
  return [
    every([sql(`NOT (${isLong})`), ...periodConditions(short)]),
    every([sql(isLong), ...periodConditions(bounds)]),
  ];
}

/** The conditions on a column that holds an instant as text. */
export function updatedConditions(column: string, { lowFrom, lowBelow }: Bounds): Sql[] {
  return [
    ...(lowFrom === undefined ? [] : [sql(`${column} >= ?`, instant(lowFrom))]),
    ...(lowBelow === undefined ? [] : [sql(`${column} < ?`, instant(lowBelow))]),
  ];
}

/** Years beyond 9999 are written with a sign, which would sort before the digits. */
function instant(time: number): string {
  const text = new Date(time).toISOString();
  return /^\d/.test(text) ? text : time < 0 ? '' : lastCharacter;
}
