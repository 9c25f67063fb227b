import type { SignedIn } from '../../core/app/sign-in.ts';
import { createStore } from '../ui/store.ts';
import { desktop } from './desktop.ts';
import { nameOf, signIn, signOut } from './sign-in.ts';
import { storeToken, readStoredToken, consumeCode } from './token.ts';

/**
 * Session of a link that was opened in a signed-in tab, and the name of the tab's own session; empty if
 * unknown.
 */
interface OtherSession extends Pick<SignedIn, 'token' | 'name'> {
  readonly currentName: string;
}

/**
 * Session state of the page: signed in, signing in, asking to switch sessions, or signed out with the last
 * error.
 */
interface SessionState {
  readonly phase: 'in' | 'entering' | 'asked' | 'out';
  /** Undefined in the desktop app: its shell adds the token to each request. */
  readonly token?: string | undefined;
  readonly fault?: unknown;
  /** Present in the phase `asked`. */
  readonly otherSession?: OtherSession;
}

const code = desktop ? undefined : consumeCode({ location, history });
const tokenPlace = { storage: sessionStorage, cookies: document };
const storedToken = desktop ? undefined : readStoredToken(tokenPlace);
const store = createStore<SessionState>({
  phase: desktop !== undefined || storedToken !== undefined ? 'in' : 'out',
  token: storedToken,
});

function accept(token: string): void {
  storeToken(token, tokenPlace);
  store.set({ phase: 'in', token });
}

export const session = {
  subscribe: store.subscribe,
  get: store.get,
  token: (): string | undefined => store.get().token,
  /** The server rejected the token. */
  requireToken: (): void => store.set({ phase: 'out', token: store.get().token }),
  accept,
  /** Signs in with a link, a code or a token. A failure keeps the previous session. */
  async signIn(pasted: string): Promise<void> {
    const previousState = store.get();
    store.set({ ...previousState, phase: 'entering' });
    try {
      accept((await signIn(pasted)).token);
    } catch (fault) {
      store.set({ ...previousState, fault });
    }
  },
  /**
   * Signs in with a link that was opened. A tab with another session asks first, because later changes get
   * another name.
   */
  async open(link: string): Promise<void> {
    const previousState = store.get();
    if (previousState.token === undefined) {
      await session.signIn(link);
      return;
    }
    store.set({ ...previousState, phase: 'entering' });
    try {
      const { token, name } = await signIn(link);
      const currentName = await nameOf(previousState.token).catch(() => '');
      if (currentName === undefined || currentName === name) accept(token);
      else
        store.set({ phase: 'asked', token: previousState.token, otherSession: { token, name, currentName } });
    } catch (fault) {
      store.set({ ...previousState, fault });
    }
  },
  /** Answers the question of {@link session.open}. The session that is left expires. */
  answer(isAccepted: boolean): void {
    const { token, otherSession } = store.get();
    if (otherSession && isAccepted) accept(otherSession.token);
    else store.set({ phase: 'in', token });
  },
  /** Ends the session and reloads the page, so that nothing stays open. */
  async signOut(): Promise<void> {
    const { token } = store.get();
    storeToken(undefined, tokenPlace);
    // Without a response the session expires, because its token is gone.
    const providerAddress = token === undefined ? undefined : await signOut(token).catch(() => undefined);
    if (providerAddress === undefined) location.reload();
    else location.assign(providerAddress);
  },
};

if (code !== undefined) void session.open(code);

// A link to the page that is already open changes only the fragment, and the browser loads nothing.
if (desktop === undefined) {
  addEventListener('hashchange', () => {
    const openedCode = consumeCode({ location, history });
    if (openedCode !== undefined) void session.open(openedCode);
  });
}
