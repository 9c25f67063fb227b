/** How PostgreSQL's types are read: its 64-bit numbers are counts, times and places here, none beyond 2^53. */
const readers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
  ...[20, 21, 23, 700, 701, 1700].map((oid) => [oid, Number] as const),
]);
const asText = (text: string) => text;
// The driver's own type of this is of its parsers for each type it knows.
export const types = {
  getTypeParser: (oid: number) => readers.get(oid) ?? asText,
};
