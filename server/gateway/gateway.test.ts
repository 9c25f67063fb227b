/** A connection that another server of a shared store, or a file, changed: nothing here has signed out before. */
import { expect, onTestFinished, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { Connection, DefaultProxy } from '../../core/app/connections.ts';
import { createGateway } from './gateway.ts';
import { defaultProxyKey } from './proxy.ts';
import { sessionSecrets } from './secrets.ts';
import { keyFile, shown } from './testing/identities.ts';
import { startIdentityProvider } from './testing/identity-provider.ts';
import { fhir, startPeer, type Answerer } from './testing/peer.ts';
import { startProxy } from './testing/proxy.ts';

const answerer: Answerer = (_seen, response) => fhir(response, 200, '{"resourceType":"CarePlan","id":"a"}');

function connectionOf(settings: object): Connection {
  const read = checkConnection({ name: 'Ward', mode: 'normal', ...settings });
  if ('problems' in read) throw new Error('These settings are good');
  return { id: 'ward', ...read.value };
}

/** A gateway whose connections go through what `chosen` returns. */
function startGateway(chosen: () => DefaultProxy = () => ({ kind: 'none' })) {
  const secrets = sessionSecrets();
  const system = () => Promise.resolve(undefined);
  const gateway = createGateway({ secrets, proxies: { chosen, system }, base: () => 'http://127.0.0.1' });
  onTestFinished(() => gateway.close());
  const ask = (connection: Connection) =>
    gateway.forward(connection, {
      url: new URL(`${connection.baseUrl}/CarePlan/a`),
      ...{ method: 'GET', headers: {}, gone: new AbortController().signal },
    });
  return { secrets, ask };
}

test('sends no token of the former server to the one that a connection names now', async () => {
  const { secrets, ask } = startGateway();
  await secrets.set('ward', 'secret');
  const servers = await Promise.all([startIdentityProvider(answerer), startIdentityProvider(answerer)]);
  for (const one of servers) {
    onTestFinished(() => one.peer.close());
    one.clients.set('client', { secret: 'secret' });
    const authentication = { kind: 'client-credentials', clientId: 'client' };
    expect((await ask(connectionOf({ baseUrl: one.base, authentication }))).status).toBe(200);
    expect(one.grants).toEqual(['client_credentials']);
    const records = one.peer.seen.filter(({ url }) => url.endsWith('/CarePlan/a'));
    expect(records.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${one.given[0]}`]);
  }
});

test('goes through the default proxy that is chosen now, and no longer through the former one', async () => {
  const [former, next] = await Promise.all([startProxy('ward', 'one'), startProxy('ward', 'two')]);
  const peer = await startPeer(answerer, shown('loopback'));
  for (const one of [former, next, peer]) onTestFinished(() => one.close());
  const through = ({ url }: { readonly url: string }): DefaultProxy => ({
    kind: 'address',
    url,
    user: 'ward',
  });
  let chosen = through(former);
  const { secrets, ask } = startGateway(() => chosen);
  await secrets.set(defaultProxyKey(through(former)), 'one');
  await secrets.set(defaultProxyKey(through(next)), 'two');
  const connection = connectionOf({ baseUrl: peer.origin, caFile: keyFile('loopback.cert.pem') });
  expect((await ask(connection)).status).toBe(200);
  chosen = through(next);
  expect((await ask(connection)).status).toBe(200);
  expect([former.opened.length, next.opened.length]).toEqual([1, 1]);
});
