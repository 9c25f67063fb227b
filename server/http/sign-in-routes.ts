import {
  CodeRequest,
  SignInRequest,
  linkWith,
  type SessionList,
  type SignedIn,
  type SignedOut,
  type SignInCode,
} from '../../core/app/sign-in.ts';
import { check } from '../../core/app/check.ts';
import { covers } from '../../core/app/scopes.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { derivedFrom, type Principal } from '../access/principal.ts';
import type { SignInCodeErrorCode, SignInCodes } from '../access/sign-in-codes.ts';
import type { OpenId } from '../openid/openid.ts';
import type { SessionStore } from '../workspace/sessions.ts';
import { challenge, principalOf } from './access.ts';
import { auditSignIn, type Audit } from './audit-recorder.ts';
import { bodyReader, jsonBody, valueOf } from './body.ts';
import { done, json, sendJson } from './reply.ts';
import { idOf, assertFound, type Handler } from './request.ts';
import type { TableRoute } from './route-table.ts';
import type { Throttle } from './throttle.ts';

export interface SignInParts {
  readonly codes: SignInCodes;
  readonly sessions: SessionStore;
  readonly throttle: Throttle;
  readonly audit: Audit;
  /** Undefined where people sign in by codes alone. */
  readonly openId: Pick<OpenId, 'signOutAddress'> | undefined;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
}

/** Bytes of a request. */
const mostBytes = 16 * 1024;

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

/** Why a code begins no session. */
type SignInFault = SignInCodeErrorCode | 'ended';

const faults: Readonly<
  Record<SignInFault, readonly [kind: 'unknown-token' | 'expired-token', message: () => Message]>
> = {
  ended: ['expired-token', messages.signedOut],
  used: ['expired-token', messages.linkUsed],
  old: ['expired-token', messages.linkExpired],
  unknown: ['unknown-token', messages.linkUnknown],
};

function refused(fault: SignInFault): FhirError {
  const [kind, message] = faults[fault];
  return new FhirError(kind, message(), { 'WWW-Authenticate': challenge });
}

/** How people sign in, and who is signed in (core/app/sign-in.ts). */
export function signInRoutes(parts: SignInParts): readonly TableRoute[] {
  const { codes, sessions } = parts;
  const body = bodyReader(mostBytes);

  const signIn = json(async (request, response) => {
    auditSignIn(parts.audit, request, response, 'sign-in');
    const { code } = valueOf(check(SignInRequest, jsonBody(request, 'SignIn')));
    const grant = await codes.take(code);
    if (typeof grant === 'string' || !sessions.mayBegin(grant)) {
      parts.throttle.failed(request);
      throw refused(typeof grant === 'string' ? grant : 'ended');
    }
    const { principal, ...begun } = sessions.begin(grant);
    response.locals.principal = principal;
    response.locals.audited = principal.id;
    return begun satisfies SignedIn;
  });

  const signOut: Handler = async (_request, response) => {
    const { id, subject } = principalOf(response);
    if (!sessions.end(id)) {
      throw new FhirError('not-offered', messages.tokenWithoutSession());
    }
    response.locals.audited = id;
    const address = subject === undefined ? undefined : await parts.openId?.signOutAddress();
    if (address === undefined) response.status(204).end();
    else sendJson(response, 200, JSON.stringify({ address } satisfies SignedOut));
  };

  const makeCode = json(async (request, response) => {
    const { scope } = valueOf(check(CodeRequest, jsonBody(request, 'SignInCode')));
    const asker = principalOf(response);
    const { code, expires } = await codes.issue({
      name: asker.name,
      scopes: scopesOf(asker, scope),
      ...derivedFrom(asker),
    });
    const link = linkWith(parts.base(), code);
    return { code, link, expires: new Date(expires).toISOString() } satisfies SignInCode;
  }, 201);

  const list = json((_request, response) => {
    const own = principalOf(response).id;
    const all = sessions.list().map((one) => ({ ...one, current: one.id === own }));
    return { sessions: all } satisfies SessionList;
  });

  const end = done((request, response) => {
    response.locals.audited = idOf(request);
    assertFound(sessions.end(idOf(request)), messages.sessionAbsent());
  });

  return [
    { method: 'POST', path: '/app/sign-in', access: 'open', body, answer: signIn },
    { method: 'POST', path: '/app/sign-out', access: 'token', audit: 'sign-out', answer: signOut },
    { method: 'POST', path: '/app/sign-in-codes', audit: 'token-create', body, answer: makeCode },
    { method: 'GET', path: '/app/sessions', answer: list },
    { method: 'DELETE', path: '/app/sessions/:id', audit: 'sign-out', answer: end },
  ];
}

/** @throws FhirError `value` where more is asked for than the asker has. */
function scopesOf({ scopes }: Principal, asked: string | undefined): readonly string[] {
  if (asked === undefined) return scopes;
  const list = [...new Set(asked.trim().split(/\s+/))];
  if (list.every((one) => covers(scopes, one))) return list;
  throw new FhirError('value', { ...messages.scopeNotOwned(), expression: 'scope' });
}
