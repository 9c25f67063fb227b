/** Yields rows in chunks. `next` reads the rows after the last one, and returns none at the end. */
export async function* readInChunks<Row>(
  next: (lastRow: Row | undefined) => readonly Row[] | Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], undefined> {
  for (let lastRow: Row | undefined; ;) {
    const rows = await next(lastRow);
    lastRow = rows.at(-1);
    if (lastRow === undefined) return;
    yield rows;
  }
}
