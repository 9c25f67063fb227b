/** Removes duplicate records of a list. A server may list a record twice on one page or on two. */

/** Filter that accepts each record of a list once. */
export interface DuplicateFilter<Item> {
  /** Returns the items of a page that were not accepted before. */
  readonly dropDuplicates: (page: readonly Item[]) => Item[];
  /** Returns the count of dropped items. */
  readonly countDuplicates: () => number;
}

/**
 * Creates a filter for the pages of one list. An item with an empty id is never a duplicate.
 *
 * @param idOf - Returns the id of an item within the list.
 */
export function createDuplicateFilter<Item>(idOf: (item: Item) => string): DuplicateFilter<Item> {
  const ids = new Set<string>();
  let duplicateCount = 0;
  return {
    dropDuplicates: (page) =>
      page.filter((item) => {
        const id = idOf(item);
        if (id === '') return true;
        if (ids.has(id)) {
          duplicateCount += 1;
          return false;
        }
        ids.add(id);
        return true;
      }),
    countDuplicates: () => duplicateCount,
  };
}
