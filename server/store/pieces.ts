/** Rows piece by piece; `next` reads those behind the last that was read, and none where there are no more. */
export async function* pieces<Row>(
  next: (last: Row | undefined) => readonly Row[] | Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], undefined> {
  for (let last: Row | undefined; ;) {
    const rows = await next(last);
    last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
  }
}
