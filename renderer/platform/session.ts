import { createStore } from '../ui/store.ts';
import { desktop } from './desktop.ts';
import { keepToken, takeToken } from './token.ts';

const kept = desktop ? undefined : takeToken({ location, history, storage: sessionStorage });
const store = createStore({ token: kept, needed: desktop === undefined && kept === undefined });

/** Who this page is to the server: the token, and whether one must be asked for. */
export const session = {
  subscribe: store.subscribe,
  token: (): string | undefined => store.get().token,
  tokenNeeded: (): boolean => store.get().needed,
  /** The server refused the token, or there was none. */
  requireToken: (): void => store.set({ ...store.get(), needed: true }),
  accept(pasted: string): void {
    const token = pasted.trim();
    keepToken(token, sessionStorage);
    store.set({ token, needed: false });
  },
};
