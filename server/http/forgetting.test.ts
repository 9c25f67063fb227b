import { expect, test } from 'vitest';
import type { DefaultProxy } from '../../core/app/connections.ts';
import { defaultProxyKey } from '../gateway/proxy.ts';
import { forgetting } from './forgetting.ts';

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
    remote: { forget: (id) => Promise.resolve(void gone.push(`worklist of ${id}`)) },
    proxy: () => before,
  });
  return { gone, forget };
}

test('another proxy takes the tokens of all connections along, and the password of the one before', async () => {
  const { gone, forget } = watched(proxy('http://a.example:3128'));
  await forget.proxyBefore(proxy('http://a.example:3128'));
  expect(gone).toEqual([]);
  await forget.proxyBefore(proxy('http://b.example:3128'));
  expect(gone).toEqual(['tokens of all', defaultProxyKey(proxy('http://a.example:3128'))]);
});

test('with a connection go its tokens, then its secrets, then its worklist', async () => {
  const { gone, forget } = watched({ kind: 'none' });
  await forget.connection('one');
  expect(gone.at(0)).toBe('tokens of one');
  expect(gone.at(-1)).toBe('worklist of one');
  expect(gone.length).toBeGreaterThan(2);
});
