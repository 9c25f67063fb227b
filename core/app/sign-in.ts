/**
 * What a person's browser and `/app` say to each other about signing in: a code, told once and good once, is exchanged
 * for a session, whose token the page keeps for its tab alone.
 */
import * as v from 'valibot';
import { members, type Shape } from '../json/shape.ts';

/** Milliseconds that a code can be used, once. */
export const codeLifetime = 3600 * 1000;

/** Milliseconds without use after which a session ends. */
export const sessionIdle = 12 * 3600 * 1000;

/** Milliseconds after which a sign-in at a provider ends with all that came of it: roles are looked at anew then. */
export const providerLongest = 12 * 3600 * 1000;

/** The page's address with a code: the fragment is never sent. */
export function linkWith(base: string, code: string): string {
  return `${base}/#code=${code}`;
}

/** The code in what someone pasted: the code itself, or a link with it. */
export function codeIn(pasted: string): string {
  return /#code=([\w-]+)/.exec(pasted)?.[1] ?? pasted.trim();
}

const codeRule = 'Send code, as the link behind #code= has it.';
/** `POST /app/sign-in`. */
export const SignInRequest = v.pipe(
  v.message(members, 'Send one JSON object with code.'),
  v.object({ code: v.optional(v.pipe(v.string(codeRule), v.minLength(1, codeRule)), '') }),
);

/** The answer to `POST /app/sign-in`, once. */
export const SignedIn = v.object({
  token: v.string(),
  /** When it ends unless it is used before: an instant, UTC. */
  expires: v.string(),
  /** SMART scopes, with a space between two. */
  scope: v.string(),
  /** Stands as the author in the history of what the session writes. */
  name: v.string(),
});
export type SignedIn = Shape<typeof SignedIn>;

/** `GET /app/openid`: where a sign-in at the organisation's provider begins; absent where there is none. */
export const OpenIdOffer = v.object({ address: v.exactOptional(v.string()) });
export type OpenIdOffer = Shape<typeof OpenIdOffer>;

/** The answer to `POST /app/sign-out` of who signed in at a provider: where the browser ends that sign-in too. */
export const SignedOut = v.object({ address: v.string() });
export type SignedOut = Shape<typeof SignedOut>;

const scopeRule = 'scope is a text of SMART scopes, with a space between two.';
/** `POST /app/sign-in-codes`. */
export const CodeRequest = v.pipe(
  v.message(members, 'Send one JSON object, with scope where the session is to have less than your own.'),
  v.strictObject(
    { scope: v.exactOptional(v.pipe(v.string(scopeRule), v.regex(/\S/, scopeRule))) },
    'Send nothing beside scope.',
  ),
);

/** The answer to `POST /app/sign-in-codes`, once. */
export const SignInCode = v.object({ code: v.string(), link: v.string(), expires: v.string() });
export type SignInCode = Shape<typeof SignInCode>;

/** Times are instants, UTC. */
const Session = v.object({
  id: v.string(),
  /** Stands as the author in the history. */
  name: v.string(),
  /** Who sits at the keyboard; absent where nobody is named. */
  person: v.exactOptional(v.string()),
  begun: v.string(),
  used: v.string(),
  scope: v.string(),
  /** Whether the request that asked came with it. */
  current: v.boolean(),
});
export type Session = Shape<typeof Session>;

/** `GET /app/sessions`, the one used last first. */
export const SessionList = v.object({ sessions: v.array(Session) });
export type SessionList = Shape<typeof SessionList>;
