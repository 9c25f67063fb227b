/** Creates tokens of a test server through its API. */
import type { CreatedToken } from '../../core/app/tokens.ts';
import { sendTo, type Answer, type TestServer } from './test-server.ts';

/** Creates a token with scopes; `expiresIn` is in seconds. */
export async function createClientToken(
  server: TestServer,
  scopes: readonly string[],
  expiresIn?: number,
): Promise<CreatedToken> {
  const body = JSON.stringify({ name: 'test', scopes, expiresIn });
  const answer = await server.send('POST', '/app/tokens', body);
  if (answer.status !== 201) throw new Error(`minting answered ${answer.status}: ${answer.text}`);
  return answer.json as CreatedToken;
}

/** Sends a request with another Authorization header than the owner's; undefined sends no header. */
export function sendAs(
  server: TestServer,
  authorization: string | undefined,
  ...request: Parameters<TestServer['send']>
): Promise<Answer> {
  return sendTo(server.origin, authorization, ...request);
}
