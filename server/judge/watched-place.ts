/** Returns the place of parsing the expression with a number from 0 on; what is evaluated has a place above 0. */
export function parsingPlace(number: number): number {
  return -1 - number;
}

/** Returns the number of the expression that is parsed at a place; undefined where none is. */
export function parsedAt(place: number): number | undefined {
  return place < 0 ? -1 - place : undefined;
}
