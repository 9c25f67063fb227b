import {
  CodeRequest,
  SignInRequest,
  linkWith,
  type OpenIdProvider,
  type SessionList,
  type SignedIn,
  type SignedOut,
  type SignInCode,
} from '../../core/app/sign-in.ts';
import { check } from '../../core/app/check.ts';
import { covers } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { inheritFrom, type Principal } from '../access/principal.ts';
import type { SignInCodeErrorCode, SignInCodes } from '../access/sign-in-codes.ts';
import type { SessionStore } from '../workspace/sessions.ts';
import { challenge, type Throttle } from './access.ts';
import { auditSignIn, type Audit } from './audit-recorder.ts';
import type { Log } from '../log-lines.ts';
import { createBodyReader, parseJsonBody, getCheckedValue } from './body.ts';
import { createEmptyHandler, createJsonHandler, respondText } from './reply.ts';
import { assertFound, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';

export interface SignInDependencies {
  readonly codes: SignInCodes;
  readonly sessions: SessionStore;
  readonly throttle: Throttle;
  readonly audit: Audit;
  readonly log: Log;
  /** Undefined if users can sign in with codes only. */
  readonly openId: SignInProvider | undefined;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
}

/** Sign-in at a provider of identities. */
export interface SignInProvider {
  /** Path at which a browser starts. */
  readonly startPath: string;
  /** Path to which the provider returns browsers. */
  readonly callbackPath: string;
  /** Returns the address that ends the provider's own session. Undefined if the provider has none. */
  signOutAddress(): Promise<string | undefined>;
  createRoutes(dependencies: ProviderDependencies): readonly TableRoute[];
}

export type ProviderDependencies = Omit<SignInDependencies, 'openId' | 'sessions'>;

/** Bytes of a request. */
const maxRequestBytes = 16 * 1024;

const messages = defineMessages('signIn', {
  signedOut:
    'The session that made this link has ended, and the link with it. Run chartkeeper link for a new one.',
  linkUsed: 'This link was already used; each works once. Run chartkeeper link for a new one.',
  linkExpired: 'This link expired after one hour. Run chartkeeper link for a new one.',
  linkUnknown: 'This link is incomplete, or the server has restarted. Run chartkeeper link for a new one.',
  tokenWithoutSession: 'This token has no session. It works until it expires or is revoked.',
  sessionAbsent: 'There is no session with this ID.',
  scopeNotOwned: 'Unknown scope, or not one of yours.',
});

/** Reason why a code starts no session. */
type SignInErrorCode = SignInCodeErrorCode | 'ended';

const errorMessages: Readonly<
  Record<SignInErrorCode, readonly [kind: 'unknown-token' | 'expired-token', message: () => Message]>
> = {
  ended: ['expired-token', messages.signedOut],
  used: ['expired-token', messages.linkUsed],
  old: ['expired-token', messages.linkExpired],
  unknown: ['unknown-token', messages.linkUnknown],
};

function createRejection(code: SignInErrorCode): FhirError {
  const [kind, message] = errorMessages[code];
  return new FhirError(kind, message(), { 'WWW-Authenticate': challenge });
}

/** Returns the routes of sign-in, sign-out, codes and sessions (core/app/sign-in.ts). */
export function createSignInRoutes(dependencies: SignInDependencies): readonly TableRoute[] {
  const { codes, sessions, openId, base } = dependencies;
  const body = createBodyReader(maxRequestBytes);

  const signIn = createJsonHandler(async (request) => {
    auditSignIn(dependencies.audit, request, 'sign-in');
    const { code } = getCheckedValue(check(SignInRequest, parseJsonBody(request, 'SignIn')));
    const grant = await codes.consume(code);
    if (typeof grant === 'string' || !sessions.mayBegin(grant)) {
      dependencies.throttle.countFailure(request);
      throw createRejection(typeof grant === 'string' ? grant : 'ended');
    }
    const { principal, ...session } = sessions.begin(grant);
    request.caller = principal;
    request.notes.audited = principal.id;
    return session satisfies SignedIn;
  });

  const signOut: Handler = async (request) => {
    const { id, subject } = request.principal;
    if (!sessions.end(id)) {
      throw new FhirError('not-offered', messages.tokenWithoutSession());
    }
    request.notes.audited = id;
    const address = subject === undefined ? undefined : await openId?.signOutAddress();
    if (address === undefined) return { status: 204 };
    return respondText(JSON.stringify({ address } satisfies SignedOut));
  };

  const createCode = createJsonHandler(async (request) => {
    const { scope } = getCheckedValue(check(CodeRequest, parseJsonBody(request, 'SignInCode')));
    const requester = request.principal;
    const { code, expires } = await codes.issue({
      name: requester.name,
      scopes: selectScopes(requester, scope),
      ...inheritFrom(requester),
    });
    const link = linkWith(base(), code);
    return { code, link, expires: new Date(expires).toISOString() } satisfies SignInCode;
  }, 201);

  const provider = createJsonHandler((): OpenIdProvider =>
    openId ? { address: base() + openId.startPath } : {},
  );

  const list = createJsonHandler((request) => {
    const currentId = request.principal.id;
    const withCurrent = sessions.list().map((session) => ({ ...session, current: session.id === currentId }));
    return { sessions: withCurrent } satisfies SessionList;
  });

  const end = createEmptyHandler((request) => {
    request.notes.audited = request.id;
    assertFound(sessions.end(request.id), messages.sessionAbsent());
  });

  return [
    { method: 'POST', path: '/app/sign-in', access: 'open', body, handler: signIn },
    { method: 'POST', path: '/app/sign-out', access: 'token', audit: 'sign-out', handler: signOut },
    { method: 'POST', path: '/app/sign-in-codes', audit: 'token-create', body, handler: createCode },
    { method: 'GET', path: '/app/openid', access: 'open', handler: provider },
    ...(openId?.createRoutes(dependencies) ?? []),
    { method: 'GET', path: '/app/sessions', handler: list },
    { method: 'DELETE', path: '/app/sessions/:id', audit: 'sign-out', handler: end },
  ];
}

/**
 * Returns the scopes of a code.
 *
 * @throws FhirError `value` if the requester lacks a requested scope.
 */
function selectScopes({ scopes }: Principal, requestedScope: string | undefined): readonly string[] {
  if (requestedScope === undefined) return scopes;
  const requestedScopes = [...new Set(requestedScope.trim().split(/\s+/))];
  if (requestedScopes.every((scope) => covers(scopes, scope))) return requestedScopes;
  throw new FhirError('value', { ...messages.scopeNotOwned(), expression: 'scope' });
}
