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
import { derivedFrom, type Principal } from '../access/principal.ts';
import type { CodeFault, SignInCodes } from '../access/sign-in-codes.ts';
import type { OpenId } from '../openid/openid.ts';
import type { SessionStore } from '../workspace/sessions.ts';
import { challenge, principalOf } from './access.ts';
import { auditSignIn, type Audit } from './audit-recorder.ts';
import { bodyReader, jsonBody, valueOf } from './body.ts';
import { done, json, sendJson } from './reply.ts';
import { idOf, found, type Answer } from './request.ts';
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

const another = 'The command chartkeeper link makes another one.';

/** Why a code begins no session. */
type SignInFault = CodeFault | 'ended';

const faults: Readonly<
  Record<SignInFault, readonly [kind: 'unknown-token' | 'expired-token', text: string]>
> = {
  ended: ['expired-token', `The sign-in that made this code has ended, and the code with it. ${another}`],
  used: ['expired-token', `This code was used already; each works once. ${another}`],
  old: ['expired-token', `This code is older than an hour. ${another}`],
  unknown: [
    'unknown-token',
    `This code is not known here: it is incomplete, or the server was started anew. ${another}`,
  ],
};

function refused(fault: SignInFault): FhirError {
  const [kind, text] = faults[fault];
  return new FhirError(kind, { text }, { 'WWW-Authenticate': challenge });
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

  const signOut: Answer = async (_request, response) => {
    const { id, subject } = principalOf(response);
    if (!sessions.end(id)) {
      throw new FhirError('not-offered', {
        text: 'This is the token of no session: it holds until it ends or is revoked.',
      });
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
    found(sessions.end(idOf(request)), 'No session has this id.');
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
  throw new FhirError('value', {
    text: 'A scope is not known here, or not among your own.',
    expression: 'scope',
  });
}
