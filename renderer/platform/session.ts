import type { SignedIn } from '../../core/app/sign-in.ts';
import { createStore } from '../ui/store.ts';
import { desktop } from './desktop.ts';
import { nameOf, signIn, signOut } from './sign-in.ts';
import { keepToken, keptToken, takeCode } from './token.ts';

/** A session of a link that was opened in a tab that is signed in, and whose the tab's own is; empty where nobody says. */
interface OtherSession extends Pick<SignedIn, 'token' | 'name'> {
  readonly own: string;
}

/**
 * How this page stands with the server: signed in, on the way there, asked whether to become somebody else, or in need of a
 * link, with what was wrong with the last.
 */
interface SessionState {
  readonly phase: 'in' | 'entering' | 'asked' | 'out';
  /** Absent in the desktop app, whose shell adds its own to each request. */
  readonly token?: string | undefined;
  readonly fault?: unknown;
  /** Present where it is asked. */
  readonly other?: OtherSession;
}

const code = desktop ? undefined : takeCode({ location, history });
const place = { storage: sessionStorage, cookies: document };
const kept = desktop ? undefined : keptToken(place);
const store = createStore<SessionState>({
  phase: desktop !== undefined || kept !== undefined ? 'in' : 'out',
  token: kept,
});

function accept(token: string): void {
  keepToken(token, place);
  store.set({ phase: 'in', token });
}

/** Who this page is to the server. */
export const session = {
  subscribe: store.subscribe,
  get: store.get,
  token: (): string | undefined => store.get().token,
  /** The server refused the token. */
  requireToken: (): void => store.set({ phase: 'out', token: store.get().token }),
  accept,
  /** Begins a session with a link, a code or a token; one that held before stays where that fails. */
  async signIn(pasted: string): Promise<void> {
    const before = store.get();
    store.set({ ...before, phase: 'entering' });
    try {
      accept((await signIn(pasted)).token);
    } catch (fault) {
      store.set({ ...before, fault });
    }
  },
  /** Begins a session with a link that was opened. A tab of somebody else asks first: what is saved then bears another name. */
  async open(opened: string): Promise<void> {
    const before = store.get();
    if (before.token === undefined) {
      await session.signIn(opened);
      return;
    }
    store.set({ ...before, phase: 'entering' });
    try {
      const { token, name } = await signIn(opened);
      const own = await nameOf(before.token).catch(() => '');
      if (own === undefined || own === name) accept(token);
      else store.set({ phase: 'asked', token: before.token, other: { token, name, own } });
    } catch (fault) {
      store.set({ ...before, fault });
    }
  },
  /** Answers the question of {@link session.open}. The session that is left has no holder, and ends by itself. */
  answer(becomes: boolean): void {
    const { token, other } = store.get();
    if (other && becomes) accept(other.token);
    else store.set({ phase: 'in', token });
  },
  /** Ends the session and forgets it here; what was open is gone from the page. */
  async signOut(): Promise<void> {
    const { token } = store.get();
    keepToken(undefined, place);
    // Where no answer comes the session ends by itself: nobody has its token any more.
    const further = token === undefined ? undefined : await signOut(token).catch(() => undefined);
    if (further === undefined) location.reload();
    else location.assign(further);
  },
};

if (code !== undefined) void session.open(code);

// A link that is opened where the page is already changes the fragment alone, at which a browser loads nothing.
if (desktop === undefined) {
  addEventListener('hashchange', () => {
    const opened = takeCode({ location, history });
    if (opened !== undefined) void session.open(opened);
  });
}
