import { expect, test } from 'vitest';
import type { ConnectionSettings } from './connections.ts';
import { movedSecrets } from './secret-places.ts';

const settings = {
  name: 'Ward',
  baseUrl: 'https://a.example/fhir',
  colour: 'gray',
  environment: 'test',
  mode: 'normal',
  authentication: { kind: 'client-credentials', clientId: 'c', scope: 's' },
  proxy: { kind: 'address', url: 'http://p:1', user: 'u' },
} as unknown as ConnectionSettings;

test.each<[label: string, change: object, movedKinds: readonly string[]]>([
  ['its name', { name: 'Other' }, []],
  [
    'nothing, in another order',
    { authentication: { scope: 's', clientId: 'c', kind: 'client-credentials' } },
    [],
  ],
  ['its address', { baseUrl: 'https://b.example/fhir' }, ['secret']],
  ['how it signs in', { authentication: { kind: 'bearer' } }, ['secret']],
  [
    'nothing, with its proxy in another order',
    { proxy: { user: 'u', url: 'http://p:1', kind: 'address' } },
    [],
  ],
  ['its proxy', { proxy: { kind: 'address', url: 'http://q:1', user: 'u' } }, ['secret', 'proxy']],
  ['its proxy to the default one', { proxy: { kind: 'default' } }, ['secret', 'proxy']],
  ['its CA file', { caFile: '/etc/ssl/ca.pem' }, ['secret']],
  ['its certificate', { clientCertificate: { file: 'x' } }, ['certificate']],
  [
    'all of it',
    { baseUrl: 'x', proxy: { kind: 'none' }, clientCertificate: { file: 'x' } },
    ['secret', 'proxy', 'certificate'],
  ],
])('drops secrets of another destination if a connection changes %s', (_label, change, movedKinds) => {
  expect(movedSecrets(settings, { ...settings, ...change })).toEqual(movedKinds);
});
