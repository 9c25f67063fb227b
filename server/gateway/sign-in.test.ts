import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEndpoints } from './endpoints.ts';
import type { Grant } from './oauth-client.ts';
import { startSignIn } from './sign-in.ts';
import { startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { tlsContext } from './tls-context.ts';
import { createHttpTransport } from './http-transport.ts';

let idp: IdentityProvider;
const context = tlsContext({});
const wire = createHttpTransport({
  context,
  proxyOf: () => Promise.resolve(undefined),
  proxyContext: () => context,
});
beforeAll(async () => {
  idp = await startIdentityProvider((_request, response) => void response.end());
  idp.clients.set('desktop', {});
});
afterAll(async () => {
  wire.close();
  await idp.peer.close();
});

async function begin(time: number) {
  const authentication = { kind: 'authorization-code', clientId: 'desktop' } as const;
  const endpoints = await findEndpoints(idp.base, authentication, wire, new AbortController().signal);
  const grants: Grant[] = [];
  const messages: string[] = [];
  const signIn = await startSignIn({
    dependencies: { endpoints, authentication, secret: undefined, wire, time: 5000 },
    audience: idp.base,
    time,
    done: (grant) => grants.push(grant),
    onFailed: ({ text }) => messages.push(text),
  });
  return { signIn, grants, messages };
}

test('ends an unfinished sign-in in time with a message and closes its listener', async () => {
  const { signIn, grants, messages } = await begin(50);
  await expect.poll(() => messages).toEqual(['The sign-in timed out. Start it again.']);
  await expect(fetch(signIn.address)).rejects.toThrow();
  expect(grants).toEqual([]);
});

test('ends a canceled sign-in without a message', async () => {
  const { signIn, grants, messages } = await begin(60_000);
  signIn.cancel();
  await expect(fetch(signIn.address)).rejects.toThrow();
  expect([grants, messages]).toEqual([[], []]);
});

test('accepts a code once even if the browser repeats it', async () => {
  const { signIn, grants, messages } = await begin(60_000);
  const connected = await fetch(signIn.address, { redirect: 'manual' });
  const back = connected.headers.get('location') ?? '';
  const pages = await Promise.allSettled([fetch(back), fetch(back), fetch(back)]);
  const statuses = pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value.status] : []));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect([grants.length, messages]).toEqual([1, []]);
});

test('does not respond to another host name', async () => {
  const { signIn } = await begin(60_000);
  const redirect = new URL(new URL(signIn.address).searchParams.get('redirect_uri') ?? '');
  const rebound = `http://localhost:${redirect.port}/callback?code=c&state=s`;
  expect((await fetch(rebound)).status).toBe(404);
  signIn.cancel();
});
