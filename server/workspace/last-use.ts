/** Milliseconds between two writes of one token's last use. */
const interval = 60_000;

/** Milliseconds from a use to its write: behind the answer of the request that used it. */
const delay = 1000;

/** Gathers the last uses of tokens and hands each to `write` later, at most once a minute; `flush` does so now. */
export function lastUses(clock: () => number, write: (id: string, at: number) => void) {
  const written = new Map<string, number>();
  const pending = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    for (const [id, at] of pending) {
      try {
        write(id, at);
        written.set(id, at);
      } catch {
        // A full disk must not end the server over this; the next use is noted again.
      }
    }
    pending.clear();
  };
  const note = (id: string) => {
    const now = clock();
    const last = written.get(id);
    if (pending.has(id) || (last !== undefined && now - last < interval)) return;
    pending.set(id, now);
    timer ??= setTimeout(flush, delay).unref();
  };
  return { flush, note };
}
