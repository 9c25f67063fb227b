import { defineMessages, type Message } from '../../../core/text/message.ts';
import {
  callbackPath,
  createOpenId,
  type OpenId,
  type OpenIdDependencies,
  type OpenIdErrorCode,
} from './openid.ts';
import { readOpenIdSettings, type OpenIdSettings } from './openid-file.ts';
import { signInTimeoutMs } from './pending-sign-ins.ts';
import { auditSignIn } from '../../http/audit-recorder.ts';
import type { TableRoute } from '../../http/route-table.ts';
import type { ProviderDependencies, SignInProvider } from '../../http/sign-in-routes.ts';
import { getNetwork } from '../../http/access.ts';
import { signInPage } from '../../gateway/sign-in.ts';
import type { ApiRequest, ApiResponse } from '../../http/request.ts';

/** Creates the sign-in at the provider of a file. */
export async function readProvider(...file: Parameters<typeof readOpenIdSettings>) {
  return createProvider(await readOpenIdSettings(...file));
}

/** Creates the sign-in at the provider of these settings. */
export function createProvider(settings: OpenIdSettings) {
  return (
    base: () => string,
    state: Pick<OpenIdDependencies, 'clock' | 'pendingSignIns'> = { clock: Date.now },
  ): SignInProvider => {
    const openId = createOpenId({ settings, base, ...state });
    return {
      startPath,
      callbackPath,
      signOutAddress: () => openId.signOutAddress(),
      createRoutes: (dependencies) => createOpenIdRoutes(openId, dependencies),
    };
  };
}

const startPath = '/app/openid/sign-in';

/** Cookie that identifies the browser on its return. No script can read it. */
const cookieName = 'chartkeeper-openid';
const cookiePattern = new RegExp(`(?:^|; )${cookieName}=([\\w-]{43})(?:;|$)`);

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

const errorResponses: Readonly<Record<OpenIdErrorCode, readonly [status: number, message: () => Message]>> = {
  'no-answer': [502, messages.noAnswer],
  'not-begun-here': [400, messages.notBegunHere],
  'refused-there': [403, messages.refusedThere],
  'not-fitting': [403, messages.notFitting],
  'no-role': [403, messages.noRole],
};

/**
 * Returns the routes of sign-in at the provider (docs/decisions/0052). It ends with a code, like other
 * sign-ins.
 */
function createOpenIdRoutes(openId: OpenId, dependencies: ProviderDependencies): readonly TableRoute[] {
  const { codes, base } = dependencies;
  const startSignIn = async (request: ApiRequest): Promise<ApiResponse> => {
    const seconds = dependencies.throttle.countStart(request);
    if (seconds !== undefined) {
      request.responseHeaders['Retry-After'] = String(seconds);
      return respondRejection(429, messages.tooMany());
    }
    const startedSignIn = await openId.start(getNetwork(request.remoteAddress));
    if ('fault' in startedSignIn) return respondErrorPage(startedSignIn.fault);
    setCookie(request, startedSignIn.browser, signInTimeoutMs / 1000);
    return { status: 302, headers: { Location: startedSignIn.address, 'Referrer-Policy': 'no-referrer' } };
  };

  const finishSignIn = async (request: ApiRequest): Promise<ApiResponse> => {
    auditSignIn(dependencies.audit, request);
    // The query contains the code of the provider.
    request.notes.audited = callbackPath;
    setCookie(request, '', 0);
    const browser = cookiePattern.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const result = await openId.finish(browser, request.url.split('?')[1] ?? '');
    if ('fault' in result) {
      const { fault, reason } = result;
      // The throttle comes first, so that repeated attempts can't fill the log.
      dependencies.throttle.countFailure(request);
      dependencies.log(`OpenID sign-in refused: ${fault}${reason === undefined ? '' : ` (${reason})`}`);
      return respondErrorPage(fault);
    }
    const { code } = await codes.issue(result.grant);
    // A page instead of a redirect: browsers treat a redirect from another site as a cross-site request,
    // which the guard rejects.
    return respondPage(
      200,
      messages.signedIn().text,
      messages.opening().text,
      `<meta http-equiv="refresh" content="0;url=/#code=${code}">`,
    );
  };

  return [
    { method: 'GET', path: startPath, access: 'open', handler: startSignIn },
    { method: 'GET', path: callbackPath, access: 'open', handler: finishSignIn },
  ];

  function setCookie({ responseHeaders }: ApiRequest, value: string, seconds: number): void {
    const secure = base().startsWith('https:') ? '; Secure' : '';
    responseHeaders['Set-Cookie'] =
      `${cookieName}=${value}; Path=/app/openid; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
  }
}

function respondErrorPage(fault: OpenIdErrorCode): ApiResponse {
  const [status, message] = errorResponses[fault];
  return respondRejection(status, message());
}

function respondRejection(status: number, { text }: Message): ApiResponse {
  const link = `<a href="/">${messages.backToSignIn().text}</a>`;
  return respondPage(status, messages.notSignedIn().text, `${text} ${link}`);
}

function respondPage(status: number, title: string, text: string, head = ''): ApiResponse {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Referrer-Policy': 'no-referrer' };
  return { status, headers, body: signInPage(title, text, head) };
}
