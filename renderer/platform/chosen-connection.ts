const storageKey = 'chartkeeper.connection';

/** The connection that this tab works on, for its reload; a new start begins with the local server. */
export const chosenConnection = {
  id: (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined,
  keep(id: string | undefined): void {
    if (id === undefined) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, id);
  },
};
