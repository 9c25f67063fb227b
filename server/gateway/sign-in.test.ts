import { afterAll, beforeAll, expect, test } from 'vitest';
import { findEndpoints } from './endpoints.ts';
import type { Grant } from './oauth-client.ts';
import { startSignIn } from './sign-in.ts';
import { startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { tlsContext } from './tls-context.ts';
import { createWire } from './wire.ts';

let idp: IdentityProvider;
const context = tlsContext({});
const wire = createWire({ context, proxyOf: () => Promise.resolve(undefined), proxyContext: () => context });
beforeAll(async () => {
  idp = await startIdentityProvider((_seen, response) => void response.end());
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
  const faults: string[] = [];
  const signIn = await startSignIn({
    parts: { endpoints, authentication, secret: undefined, wire, time: 5000 },
    audience: idp.base,
    time,
    done: (grant) => grants.push(grant),
    failed: (text) => faults.push(text),
  });
  return { signIn, grants, faults };
}

test('a sign-in that is not finished in time ends with a sentence, and its listener with it', async () => {
  const { signIn, grants, faults } = await begin(50);
  await expect.poll(() => faults).toEqual(['The sign-in was not finished in time. Start it again.']);
  await expect(fetch(signIn.address)).rejects.toThrow();
  expect(grants).toEqual([]);
});

test('one that was cancelled ends without a word', async () => {
  const { signIn, grants, faults } = await begin(60_000);
  signIn.cancel();
  await expect(fetch(signIn.address)).rejects.toThrow();
  expect([grants, faults]).toEqual([[], []]);
});

test('a code is taken once, however often the browser brings it', async () => {
  const { signIn, grants, faults } = await begin(60_000);
  const there = await fetch(signIn.address, { redirect: 'manual' });
  const back = there.headers.get('location') ?? '';
  const pages = await Promise.allSettled([fetch(back), fetch(back), fetch(back)]);
  const statuses = pages.flatMap((page) => (page.status === 'fulfilled' ? [page.value.status] : []));
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect([grants.length, faults]).toEqual([1, []]);
});

test('a request for another name at the listener is not answered', async () => {
  const { signIn } = await begin(60_000);
  const redirect = new URL(new URL(signIn.address).searchParams.get('redirect_uri') ?? '');
  const rebound = `http://localhost:${redirect.port}/callback?code=c&state=s`;
  expect((await fetch(rebound)).status).toBe(404);
  signIn.cancel();
});
