import type { Request, Response } from 'express';
import type { OpenIdProvider } from '../../core/app/sign-in.ts';
import { defineMessages, type Message } from '../../core/text/message.ts';
import type { SignInCodes } from '../access/sign-in-codes.ts';
import { callbackPath, type OpenId, type OpenIdErrorCode } from '../openid/openid.ts';
import { signInTime } from '../openid/pending-sign-ins.ts';
import { auditSignIn, type Audit } from './audit-recorder.ts';
import { sendJson } from './reply.ts';
import type { Log } from '../log-lines.ts';
import type { TableRoute } from './route-table.ts';
import { networkOf, type Throttle } from './throttle.ts';
import { signInPage } from '../gateway/sign-in.ts';

export interface OpenIdRouteParts {
  /** Undefined where people sign in by codes alone. */
  readonly openId: OpenId | undefined;
  readonly codes: SignInCodes;
  readonly throttle: Throttle;
  readonly audit: Audit;
  readonly log: Log;
  /** Absolute URL of this server without a trailing slash. */
  readonly base: () => string;
}

const beginPath = '/app/openid/sign-in';

/** Holds by what a browser is known when it comes back; no script reads it. */
const cookieName = 'chartkeeper-openid';
const cookieForm = new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`);

const messages = defineMessages('openId', {
  backToSignIn: 'Back to sign-in',
  signedIn: 'Signed in',
  opening: 'Opening Chartkeeper.',
  notSignedIn: 'Not signed in',
  tooMany: 'Too many sign-ins from your network. Try again in a minute.',
  noAnswer: 'Your organization’s sign-in service isn’t responding. Try again later.',
  notBegunHere: 'This sign-in wasn’t started in this browser within the last 10 minutes.',
  refusedThere: 'Your organization didn’t allow the sign-in.',
  notFitting: 'The sign-in service’s response doesn’t match this sign-in.',
  noRole: 'You are signed in, but have no role for this server. Ask its administrator.',
});

const faults: Readonly<Record<OpenIdErrorCode, readonly [status: number, message: () => Message]>> = {
  'no-answer': [502, messages.noAnswer],
  'not-begun-here': [400, messages.notBegunHere],
  'refused-there': [403, messages.refusedThere],
  'not-fitting': [403, messages.notFitting],
  'no-role': [403, messages.noRole],
};

/** Sign-in at the organisation's provider (docs/decisions/0052): it ends in a code, which the page exchanges as any other. */
export function openIdRoutes(parts: OpenIdRouteParts): readonly TableRoute[] {
  const { openId, codes, base } = parts;
  const offer: TableRoute = {
    method: 'GET',
    path: '/app/openid',
    access: 'open',
    answer(_request, response) {
      const offered: OpenIdProvider = openId ? { address: base() + beginPath } : {};
      sendJson(response, 200, JSON.stringify(offered));
    },
  };
  if (!openId) return [offer];

  const begin = async (request: Request, response: Response) => {
    const seconds = parts.throttle.begun(request);
    if (seconds !== undefined) {
      response.setHeader('Retry-After', String(seconds));
      sendRefusal(response, 429, messages.tooMany());
      return;
    }
    const begun = await openId.begin(networkOf(request));
    if ('fault' in begun) {
      sendFault(response, begun.fault);
      return;
    }
    setCookie(response, begun.browser, signInTime / 1000);
    response.writeHead(302, { Location: begun.address, 'Referrer-Policy': 'no-referrer' }).end();
  };

  const finish = async (request: Request, response: Response) => {
    auditSignIn(parts.audit, request, response);
    // The query holds the provider's code.
    response.locals.audited = callbackPath;
    setCookie(response, '', 0);
    const browser = cookieForm.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const ended = await openId.end(browser, request.originalUrl.split('?')[1] ?? '');
    if ('fault' in ended) {
      const { fault, why } = ended;
      // Before the log: who tries too often fills it no more.
      parts.throttle.failed(request);
      parts.log(`OpenID sign-in refused: ${fault}${why === undefined ? '' : ` (${why})`}`);
      sendFault(response, fault);
      return;
    }
    const { code } = await codes.issue(ended.grant);
    // Not a redirect: browsers call what follows one from another site a request of that site, which is refused.
    sendPage(
      response,
      200,
      messages.signedIn().text,
      messages.opening().text,
      `<meta http-equiv="refresh" content="0;url=/#code=${code}">`,
    );
  };

  return [
    offer,
    { method: 'GET', path: beginPath, access: 'open', answer: begin },
    { method: 'GET', path: callbackPath, access: 'open', answer: finish },
  ];

  function setCookie(response: Response, value: string, seconds: number): void {
    const secure = base().startsWith('https:') ? '; Secure' : '';
    response.setHeader(
      'Set-Cookie',
      `${cookieName}=${value}; Path=/app/openid; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
    );
  }
}

function sendFault(response: Response, fault: OpenIdErrorCode): void {
  const [status, message] = faults[fault];
  sendRefusal(response, status, message());
}

function sendRefusal(response: Response, status: number, { text }: Message): void {
  const link = `<a href="/">${messages.backToSignIn().text}</a>`;
  sendPage(response, status, messages.notSignedIn().text, `${text} ${link}`);
}

function sendPage(response: Response, status: number, title: string, text: string, head = ''): void {
  response
    .writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'no-referrer' })
    .end(signInPage(title, text, head));
}
