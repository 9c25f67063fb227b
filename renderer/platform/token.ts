/**
 * renderer/platform is what the page needs of the place it runs in: token, desktop bridge, client, queries, Monaco.
 * Features and the app shell call it. Invariant: the token is never written to the address, a cookie or durable storage.
 */

const storageKey = 'chartkeeper.token';

/** The parts of the browser that the take-over touches, so that it can be tested without one. */
export interface TokenPlace {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { replaceState(data: unknown, unused: string, address: string): void };
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>;
}

/**
 * The access token of this tab: taken from the fragment `#token=...`, which is removed from the address bar at once,
 * else from the tab's session storage. Undefined where neither has one.
 */
export function takeToken({ location, history, storage }: TokenPlace): string | undefined {
  const token = new URLSearchParams(location.hash.replace(/^#/, '')).get('token')?.trim();
  if (token) {
    history.replaceState(null, '', location.pathname + location.search);
    storage.setItem(storageKey, token);
    return token;
  }
  return storage.getItem(storageKey) ?? undefined;
}

/** Keeps a token that the user pasted, for this tab and its reloads. */
export function keepToken(token: string, storage: TokenPlace['storage']): void {
  storage.setItem(storageKey, token);
}
