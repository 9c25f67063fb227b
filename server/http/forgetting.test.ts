import { expect, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { Connection, DefaultProxy } from '../../core/app/connections.ts';
import { defaultProxyKey } from '../gateway/proxy.ts';
import { forgetting } from './forgetting.ts';

const connection = (id: string, change: object): Connection => {
  const read = checkConnection({
    ...{ name: id, baseUrl: 'https://fhir.example.org', authentication: { kind: 'bearer' } },
    ...change,
  });
  if ('problems' in read) throw new Error('These settings are good');
  return { id, ...read.value };
};

const proxy = (url: string): DefaultProxy => ({ kind: 'address', url, user: 'u' });

/** What was forgotten, in order, behind the proxy that all connections go through. */
function watched(before: DefaultProxy) {
  const gone: string[] = [];
  const forget = forgetting({
    gateway: {
      secrets: {
        backend: 'session',
        get: () => Promise.resolve(undefined),
        set: () => Promise.resolve(),
        delete: (key) => Promise.resolve(void gone.push(key)),
      },
      signOut: (id) => void gone.push(`tokens of ${id ?? 'all'}`),
    },
    connections: {
      list: () =>
        Promise.resolve([
          connection('default', {}),
          connection('open', { authentication: { kind: 'none' } }),
          connection('own', { proxy: proxy('http://own.example:3128') }),
        ]),
    },
    remote: { forget: (id) => Promise.resolve(void gone.push(`worklist of ${id}`)) },
    proxy: () => before,
  });
  return { gone, forget };
}

test('another proxy takes along all tokens, its password and the secrets that went through it', async () => {
  const { gone, forget } = watched(proxy('http://a.example:3128'));
  await forget.proxyBefore(proxy('http://a.example:3128'));
  expect(gone).toEqual([]);
  await forget.proxyBefore(proxy('http://b.example:3128'));
  expect(gone).toEqual(['tokens of all', defaultProxyKey(proxy('http://a.example:3128')), 'default']);
});

test('with a connection go its tokens, then its secrets, then its worklist', async () => {
  const { gone, forget } = watched({ kind: 'none' });
  await forget.connection('one');
  expect(gone.at(0)).toBe('tokens of one');
  expect(gone.at(-1)).toBe('worklist of one');
  expect(gone.length).toBeGreaterThan(2);
});
