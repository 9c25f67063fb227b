import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import { createHttpTransport } from './http-transport.ts';
import { sessionSecrets } from './secrets.ts';
import { startPeer } from './testing/peer.ts';
import { tlsContext } from './tls-context.ts';
import { createTokenSource } from './token-source.ts';

/** Starts the token source of a signed-in connection whose token has expired. Its provider does not answer by itself. */
async function startExpired() {
  const heldResponses: ServerResponse[] = [];
  const peer = await startPeer((_request, response) => void heldResponses.push(response));
  const checked = checkConnection({
    name: 'Ward',
    mode: 'normal',
    baseUrl: `${peer.origin}/fhir`,
    authentication: {
      kind: 'authorization-code',
      clientId: 'page',
      authorizationEndpoint: `${peer.origin}/authorize`,
      tokenEndpoint: `${peer.origin}/token`,
    },
  });
  if ('problems' in checked) throw new Error('These settings are good');
  const context = tlsContext({ ca: undefined });
  const wire = createHttpTransport({
    context,
    proxyOf: () => Promise.resolve(undefined),
    proxyContext: () => context,
  });
  onTestFinished(async () => {
    wire.close();
    await peer.close();
  });
  const tokens = createTokenSource({ id: 'ward', ...checked.value }, sessionSecrets(), wire, 60_000);
  tokens.accept({ token: 'expired', refresh: 'r1', lifetime: 1000, endsAtMs: Date.now() - 1 });
  return { tokens, heldResponses };
}

test.each([
  ['succeeds', 200, { access_token: 'late', token_type: 'Bearer', expires_in: 3600 }],
  ['fails', 400, { error: 'invalid_grant' }],
])('keeps the token of a sign-in if a renewal from before %s later', async (_, status, body) => {
  const { tokens, heldResponses } = await startExpired();
  const renewal = tokens.token().catch((error: unknown) => error);
  await expect.poll(() => heldResponses.length).toBe(1);
  tokens.accept({ token: 'new', refresh: 'r2' });
  heldResponses[0]?.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  await renewal;
  expect(await tokens.token()).toBe('new');
  expect(await tokens.state()).toEqual({ access: 'ready', fault: undefined });
  expect(heldResponses).toHaveLength(1);
});
