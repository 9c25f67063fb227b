/** Signs in at a test server, as a person's browser does. */
import type { SignedIn } from '../../core/app/sign-in.ts';
import { sendTo, type Answer } from './test-server.ts';

/** Sends a code. */
export function sendCode(origin: string, code: string): Promise<Answer> {
  return sendTo(origin, undefined, 'POST', '/app/sign-in', JSON.stringify({ code }));
}

/** Exchanges a code, or the code in a line `Open <link>`, for the token of a session. */
export async function tokenFor(origin: string, codeOrLink: string): Promise<string> {
  const answer = await sendCode(origin, codeOrLink.split('#code=').at(-1) ?? '');
  if (answer.status !== 200) throw new Error(`the sign-in answered ${answer.status}: ${answer.text}`);
  return (answer.json as SignedIn).token;
}
