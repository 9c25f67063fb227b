/**
 * Data of sign-in: a one-time code is exchanged for a session. The page stores the session's token for its
 * tab only.
 */
import * as v from 'valibot';
import { members, type Shape } from '../json/shape.ts';
import { defineMessages } from '../text/message.ts';
import { codedText } from './check.ts';

/** Lifetime of a sign-in code in milliseconds. */
export const codeLifetime = 3600 * 1000;

/** Milliseconds without use until a session expires. */
export const sessionIdle = 12 * 3600 * 1000;

/** Maximum milliseconds of a provider sign-in and its tokens. Then the roles are checked again. */
export const providerLongest = 12 * 3600 * 1000;

/** Returns the page's address with a code. Browsers never send the fragment. */
export function linkWith(base: string, code: string): string {
  return `${base}/#code=${code}`;
}

/** Returns the code in pasted text, which is the code itself or a link with the code. */
export function codeIn(pasted: string): string {
  return /#code=([\w-]+)/.exec(pasted)?.[1] ?? pasted.trim();
}

const messages = defineMessages('signIn', {
  code: 'Send code from the link, after #code=.',
  body: 'Send one JSON object with code.',
  scope: 'scope must be SMART scopes, separated by spaces.',
  codeBody: 'Send a JSON object. Add scope to give the session fewer rights than yours.',
  scopeOnly: 'Send only scope.',
});
const codeRule = codedText(messages.code());
/** `POST /app/sign-in`. */
export const SignInRequest = v.pipe(
  v.message(members, codedText(messages.body())),
  v.object({ code: v.optional(v.pipe(v.string(codeRule), v.minLength(1, codeRule)), '') }),
);

/** Response of `POST /app/sign-in`. */
export const SignedIn = v.object({
  token: v.string(),
  /** Instant (UTC) of expiry. Use extends it. */
  expires: v.string(),
  /** SMART scopes, separated by spaces. */
  scope: v.string(),
  /** Author of the versions that the session writes. */
  name: v.string(),
});
export type SignedIn = Shape<typeof SignedIn>;

/** `GET /app/openid`: address of the provider's sign-in; absent without a provider. */
export const OpenIdProvider = v.object({ address: v.exactOptional(v.string()) });
export type OpenIdProvider = Shape<typeof OpenIdProvider>;

/**
 * Response of `POST /app/sign-out` after a provider sign-in: address at which the browser ends that sign-in
 * too.
 */
export const SignedOut = v.object({ address: v.string() });
export type SignedOut = Shape<typeof SignedOut>;

const scopeRule = codedText(messages.scope());
/** `POST /app/sign-in-codes`. */
export const CodeRequest = v.pipe(
  v.message(members, codedText(messages.codeBody())),
  v.strictObject(
    { scope: v.exactOptional(v.pipe(v.string(scopeRule), v.regex(/\S/, scopeRule))) },
    codedText(messages.scopeOnly()),
  ),
);

/** Response of `POST /app/sign-in-codes`. */
export const SignInCode = v.object({ code: v.string(), link: v.string(), expires: v.string() });
export type SignInCode = Shape<typeof SignInCode>;

/** Session. Times are instants, UTC. */
const Session = v.object({
  id: v.string(),
  /** Author of the versions that the session writes. */
  name: v.string(),
  /** Current person; absent if none is named. */
  person: v.exactOptional(v.string()),
  begun: v.string(),
  used: v.string(),
  scope: v.string(),
  /** True for the session of this request. */
  current: v.boolean(),
});
export type Session = Shape<typeof Session>;

/** `GET /app/sessions`, the last used first. */
export const SessionList = v.object({ sessions: v.array(Session) });
export type SessionList = Shape<typeof SessionList>;
