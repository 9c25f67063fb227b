import { desktop } from './desktop.ts';
import { keepToken, takeToken } from './token.ts';

let token = desktop ? undefined : takeToken({ location, history, storage: sessionStorage });
let needed = desktop === undefined && token === undefined;
const listeners = new Set<() => void>();

function setNeeded(value: boolean): void {
  needed = value;
  for (const listener of listeners) listener();
}

/** Who this page is to the server: the token, and whether one must be asked for. */
export const session = {
  token: (): string | undefined => token,
  tokenNeeded: (): boolean => needed,
  /** The server refused the token, or there was none. */
  requireToken: (): void => setNeeded(true),
  accept(pasted: string): void {
    token = pasted.trim();
    keepToken(token, sessionStorage);
    setNeeded(false);
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
