/**
 * Returns the marker for parsing the expression with a number from 0. Markers of evaluated items are above
 * 0.
 */
export function parsingPlace(number: number): number {
  return -1 - number;
}

/** Returns the number of the expression that a marker names; undefined if none is parsed. */
export function parsedAt(marker: number): number | undefined {
  return marker < 0 ? -1 - marker : undefined;
}

/** Returns the number of one check on one record; 0 means none. */
export function itemOf(record: number, check: number, checks: number): number {
  return 1 + record * checks + check;
}
