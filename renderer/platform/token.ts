/**
 * renderer/platform is what the page needs of the place it runs in: token, desktop bridge, client, queries, Monaco.
 * Features and the app shell call it. Invariant: the token is never written to the address, nor to anything that a browser
 * keeps on the disk as it is.
 */
import { codeIn } from '../../core/app/sign-in.ts';

/** The parts of the browser that the take-over touches, so that it can be tested without one. */
export interface CodePlace {
  readonly location: { readonly hash: string; readonly pathname: string; readonly search: string };
  readonly history: { replaceState(data: unknown, unused: string, address: string): void };
}

/**
 * The code to sign in with that the fragment holds (`#code=...`), which is removed from the address at once. Undefined
 * where there is none.
 */
export function takeCode({ location, history }: CodePlace): string | undefined {
  const { hash, pathname, search } = location;
  const code = codeIn(hash);
  if (code === hash) return undefined;
  history.replaceState(null, '', pathname + search);
  return code;
}

/** Where a token is kept: two places of the browser, neither of which holds it. */
export interface TokenPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** As `document` has it: reads all, and sets one. */
  readonly cookies: { cookie: string };
}

const storageKey = 'chartkeeper.session';

/** A pad of random characters, in a cookie that ends with the browser. */
const padForm = /(?:^|; )chartkeeper-pad=([\w+/]+=*)/;

/** More than a token has. */
const padBytes = 64;

/**
 * The token of this tab's session, which its reloads go on with. Browsers write session storage to their profile: what
 * stands there is the token under a pad, which is worth nothing without it.
 */
export function keptToken({ storage, cookies }: TokenPlace): string | undefined {
  const kept = storage.getItem(storageKey);
  const pad = padForm.exec(cookies.cookie)?.[1];
  return kept === null || pad === undefined ? undefined : under(atob(pad), atob(kept));
}

/** Keeps the token for this tab and its reloads; forgets it where it is undefined. */
export function keepToken(token: string | undefined, { storage, cookies }: TokenPlace): void {
  if (token === undefined) storage.removeItem(storageKey);
  else storage.setItem(storageKey, btoa(under(atob(padOf(cookies)), token)));
}

/** The pad of this browser, which all tabs share: one more cookie for each would fill the requests. */
function padOf(cookies: TokenPlace['cookies']): string {
  const known = padForm.exec(cookies.cookie)?.[1];
  if (known !== undefined) return known;
  const pad = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(padBytes))));
  cookies.cookie = `chartkeeper-pad=${pad}; Path=/; SameSite=Strict`;
  return pad;
}

/** A text under a pad, or what it was before. */
function under(pad: string, text: string): string {
  return Array.from({ length: text.length }, (_, at) =>
    String.fromCharCode(text.charCodeAt(at) ^ pad.charCodeAt(at)),
  ).join('');
}
