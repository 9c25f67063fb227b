/**
 * renderer/platform is what the page needs of the place it runs in: token, desktop bridge, client, queries, Monaco.
 * Features and the app shell call it. Invariant: the token is never written to the address, a cookie or durable storage.
 */
import { codeIn } from '../../core/app/sign-in.ts';

const storageKey = 'chartkeeper.token';

/** The parts of the browser that the take-over touches, so that it can be tested without one. */
export interface TokenPlace {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { replaceState(data: unknown, unused: string, address: string): void };
}

/**
 * The code to sign in with that the fragment holds (`#code=...`), which is removed from the address at once. Undefined
 * where there is none.
 */
export function takeCode({ location, history }: TokenPlace): string | undefined {
  const { hash, pathname, search } = location;
  const code = codeIn(hash);
  if (code === hash) return undefined;
  history.replaceState(null, '', pathname + search);
  return code;
}

/** The token of this tab's session, which its reloads go on with. */
export function keptToken(storage: Pick<Storage, 'getItem'>): string | undefined {
  return storage.getItem(storageKey) ?? undefined;
}

/** Keeps the token for this tab and its reloads; forgets it where it is undefined. */
export function keepToken(token: string | undefined, storage: Pick<Storage, 'setItem' | 'removeItem'>): void {
  if (token === undefined) storage.removeItem(storageKey);
  else storage.setItem(storageKey, token);
}
