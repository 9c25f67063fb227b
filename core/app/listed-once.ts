/** What a server lists, which may hold a record twice: on one page, or on two. */

/** Lets each record of a list pass once. */
export interface ListedOnce<Item> {
  /** Returns the items of a page that were not on it, nor on a page before, already. */
  readonly take: (page: readonly Item[]) => Item[];
  /** Returns how many items were left out so far. */
  readonly repeated: () => number;
}

/**
 * Creates a filter for the pages of one list. `idOf` identifies a record within the list; an item whose id is empty is no
 * other's double.
 */
export function listedOnce<Item>(idOf: (item: Item) => string): ListedOnce<Item> {
  const ids = new Set<string>();
  let repeated = 0;
  return {
    take: (page) =>
      page.filter((item) => {
        const id = idOf(item);
        if (id === '') return true;
        if (ids.has(id)) {
          repeated += 1;
          return false;
        }
        ids.add(id);
        return true;
      }),
    repeated: () => repeated,
  };
}
