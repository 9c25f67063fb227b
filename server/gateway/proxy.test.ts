import { expect, test } from 'vitest';
import { checkConnection } from '../../core/app/connection-check.ts';
import type { DefaultProxy } from '../../core/app/connections.ts';
import { defaultProxyKey, proxyOf } from './proxy.ts';

test('the password of the default proxy goes to the proxy and user alone that it was given for', async () => {
  const read = checkConnection({ name: 'Ward', baseUrl: 'https://fhir.example.org' });
  if ('problems' in read) throw new Error('These settings are good');
  const connection = { id: 'ward', ...read.value };
  const given: DefaultProxy = { kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' };
  const secrets = new Map([[defaultProxyKey(given), 'canary']]);
  const urlBy = (chosen: DefaultProxy) =>
    proxyOf(
      connection,
      { chosen: () => chosen, system: () => Promise.resolve(undefined) },
      { get: (key) => Promise.resolve(secrets.get(key)) },
    );
  expect(await urlBy(given)).toBe('http://ward:canary@proxy.example.org:3128/');
  for (const other of [{ url: 'http://other.example.org:3128' }, { user: 'clinic' }]) {
    expect(await urlBy({ ...given, ...other })).not.toContain('canary');
  }
});
