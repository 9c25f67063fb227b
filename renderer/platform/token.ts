/**
 * The page's access to its environment: token, desktop bridge, client, queries, Monaco. Features and the app
 * shell use it.
 * Invariant: the token is never written to the address, nor in clear text to anything that a browser stores
 * on disk.
 */
import { codeIn } from '../../core/app/sign-in.ts';

/** The browser APIs that consume a code; replaceable for tests. */
export interface CodePlace {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { replaceState(data: unknown, unused: string, address: string): void };
}

/**
 * Returns the sign-in code of the fragment (`#code=...`) and removes it from the address; undefined if there
 * is none.
 */
export function consumeCode({ location, history }: CodePlace): string | undefined {
  const { hash, pathname, search } = location;
  const code = codeIn(hash);
  if (code === hash) return undefined;
  history.replaceState(null, '', pathname + search);
  return code;
}

/** A token is stored in two places. Each of them contains a part. */
export interface TokenPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** Like `document.cookie`: reads all cookies, sets one. */
  readonly cookies: { cookie: string };
}

const storageKey = 'chartkeeper.session';

/** Random pad in a cookie that expires with the browser. */
const padForm = /(?:^|; )chartkeeper-pad=([\w+/]+=*)/;

/** Longer than a token. */
const padBytes = 64;

/**
 * Returns the token of this tab's session, for reloads. Browsers write session storage to their profile, so
 * it stores only the token combined with the pad.
 */
export function readStoredToken({ storage, cookies }: TokenPlace): string | undefined {
  const storedText = storage.getItem(storageKey);
  const pad = padForm.exec(cookies.cookie)?.[1];
  return storedText === null || pad === undefined ? undefined : applyPad(atob(pad), atob(storedText));
}

/** Stores the token for this tab and its reloads. Removes it if undefined. */
export function storeToken(token: string | undefined, { storage, cookies }: TokenPlace): void {
  if (token === undefined) storage.removeItem(storageKey);
  else storage.setItem(storageKey, btoa(applyPad(atob(padOf(cookies)), token)));
}

/** Returns the pad that all tabs of this browser share. A cookie per tab would fill the requests. */
function padOf(cookies: TokenPlace['cookies']): string {
  const existingPad = padForm.exec(cookies.cookie)?.[1];
  if (existingPad !== undefined) return existingPad;
  const pad = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(padBytes))));
  cookies.cookie = `chartkeeper-pad=${pad}; Path=/; SameSite=Strict`;
  return pad;
}

/** Combines a text with a pad. A second call restores the text. */
function applyPad(pad: string, text: string): string {
  return Array.from({ length: text.length }, (_, index) =>
    String.fromCharCode(text.charCodeAt(index) ^ pad.charCodeAt(index)),
  ).join('');
}
