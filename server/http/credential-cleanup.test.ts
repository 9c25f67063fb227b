import { expect, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { Connection, DefaultProxy } from '../../core/app/connections.ts';
import { defaultProxyKey } from '../gateway/proxy.ts';
import { createCredentialCleanup } from './credential-cleanup.ts';

const createConnection = (id: string, change: object): Connection => {
  const checked = checkConnection({
    name: id,
    baseUrl: 'https://fhir.example.org',
    authentication: { kind: 'bearer' },
    ...change,
  });
  if ('problems' in checked) throw new Error('These settings are good');
  return { id, ...checked.value };
};

const proxy = (url: string): DefaultProxy => ({ kind: 'address', url, user: 'u' });

/** Records removals in order, with a default proxy. */
function createWatched(before: DefaultProxy) {
  const removals: string[] = [];
  const forget = createCredentialCleanup({
    gateway: {
      secrets: {
        backend: 'session',
        get: () => Promise.resolve(undefined),
        set: () => Promise.resolve(),
        delete: (key) => Promise.resolve(void removals.push(key)),
      },
      signOut: (id) => void removals.push(`tokens of ${id ?? 'all'}`),
    },
    connections: {
      list: () =>
        Promise.resolve([
          createConnection('default', {}),
          createConnection('open', { authentication: { kind: 'none' } }),
          createConnection('own', { proxy: proxy('http://own.example:3128') }),
        ]),
    },
    works: { forget: (id) => Promise.resolve(void removals.push(`worklist of ${id}`)) },
    proxy: () => before,
  });
  return { removals, forget };
}

test('removes tokens, password and proxied secrets when the proxy changes', async () => {
  const { removals, forget } = createWatched(proxy('http://a.example:3128'));
  await forget.proxyBefore(proxy('http://a.example:3128'));
  expect(removals).toEqual([]);
  await forget.proxyBefore(proxy('http://b.example:3128'));
  expect(removals).toEqual(['tokens of all', defaultProxyKey(proxy('http://a.example:3128')), 'default']);
});

test('removes tokens, secrets and worklist of a connection in this order', async () => {
  const { removals, forget } = createWatched({ kind: 'none' });
  await forget.connection('one');
  expect(removals.at(0)).toBe('tokens of one');
  expect(removals.at(-1)).toBe('worklist of one');
  expect(removals.length).toBeGreaterThan(2);
});
