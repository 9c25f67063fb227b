import type { Request, Response } from 'express';
import type { OpenIdOffer } from '../../core/app/sign-in.ts';
import type { SignInCodes } from '../access/sign-in-codes.ts';
import { callbackPath, type OpenId, type OpenIdFault } from '../openid/openid.ts';
import { signInTime } from '../openid/under-way.ts';
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

const again = '<a href="/">Back to the sign-in</a>';

const tooMany = `Too many sign-ins were begun from your network. Wait a minute, then try again. ${again}`;

const faults: Readonly<Record<OpenIdFault, readonly [status: number, text: string]>> = {
  'no-answer': [502, `The provider of the sign-in does not answer. Try again in a while. ${again}`],
  'not-begun-here': [
    400,
    `The answer belongs to no sign-in that this browser began here in the last ten minutes. ${again}`,
  ],
  'refused-there': [403, `The provider did not let the sign-in through. ${again}`],
  'not-fitting': [403, `What the provider answered does not fit this sign-in. ${again}`],
  'no-role': [
    403,
    `You are known to the provider, and have no role that may work here. Ask who runs this server. ${again}`,
  ],
};

/** Sign-in at the organisation's provider (docs/decisions/0052): it ends in a code, which the page exchanges as any other. */
export function openIdRoutes(parts: OpenIdRouteParts): readonly TableRoute[] {
  const { openId, codes, base } = parts;
  const offer: TableRoute = {
    method: 'GET',
    path: '/app/openid',
    access: 'open',
    answer(_request, response) {
      const offered: OpenIdOffer = openId ? { address: base() + beginPath } : {};
      sendJson(response, 200, JSON.stringify(offered));
    },
  };
  if (!openId) return [offer];

  const begin = async (request: Request, response: Response) => {
    const seconds = parts.throttle.begun(request);
    if (seconds !== undefined) {
      response.setHeader('Retry-After', String(seconds));
      sendPage(response, 429, 'Not signed in', tooMany);
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
      'Signed in',
      'One moment.',
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

function sendFault(response: Response, fault: OpenIdFault): void {
  const [status, text] = faults[fault];
  sendPage(response, status, 'Not signed in', text);
}

function sendPage(response: Response, status: number, title: string, text: string, head = ''): void {
  response
    .writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'no-referrer' })
    .end(signInPage(title, text, head));
}
