/** Something that a command asks of a view, which may not be open yet. */
export interface Wish {
  /** Asks for it: now, or as soon as somebody offers to do it. */
  readonly make: () => void;
  /** Offers to do it; the returned function takes the offer back. */
  readonly offer: (grant: () => void) => () => void;
}

/** Returns a wish that nobody has made yet; one that waits is granted once. */
export function createWish(): Wish {
  let waiting = false;
  let offered: (() => void) | undefined;
  return {
    make() {
      if (offered) offered();
      else waiting = true;
    },
    offer(grant) {
      offered = grant;
      if (waiting) {
        waiting = false;
        grant();
      }
      return () => {
        if (offered === grant) offered = undefined;
      };
    },
  };
}
