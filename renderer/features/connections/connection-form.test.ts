import { expect, test } from 'vitest';
import {
  completedUrl,
  dropsSecret,
  emptyForm,
  formOf,
  settingsOf,
  type ConnectionForm,
} from './connection-form.ts';

const base: ConnectionForm = { ...emptyForm, name: ' Ward ', baseUrl: 'https://fhir.example.org' };

function settings(change: Partial<ConnectionForm> = {}) {
  const read = settingsOf({ ...base, ...change });
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  return read.settings;
}

test('a form says settings in their normal form, read-only unless something else is chosen', () => {
  expect(settings()).toEqual({
    name: 'Ward',
    baseUrl: 'https://fhir.example.org/fhir-r4/v1',
    colour: 'violet',
    mode: 'read-only',
    authentication: { kind: 'none' },
    proxy: { kind: 'default' },
    timeoutSeconds: 30,
    encounterParameter: 'encounter',
    patchType: 'application/json-patch+json',
  });
});

test('only the fields of the chosen authentication are sent, and never the secret', () => {
  const filled = { clientId: 'ward', scope: ' system/*.rs ', keyId: 'k1', secret: 'canary' };
  expect(settings({ ...filled, kind: 'client-credentials' }).authentication).toEqual({
    kind: 'client-credentials',
    clientId: 'ward',
    scope: 'system/*.rs',
  });
  expect(settings({ ...filled, kind: 'smart-backend' }).authentication).toEqual({
    kind: 'smart-backend',
    clientId: 'ward',
    scope: 'system/*.rs',
    keyId: 'k1',
    algorithm: 'RS384',
  });
  expect(JSON.stringify(settings({ ...filled, kind: 'bearer' }))).not.toContain('canary');
});

test('a proxy and a client certificate are said with their own fields alone, and never their secrets', () => {
  const filled = {
    ...{ proxyUrl: ' http://proxy.example.org:3128 ', proxyUser: 'ward', proxySecret: 'canary' },
    ...{ certificateFile: '/a.pem', keyFile: '/b.pem', file: '/c.p12', certificateSecret: 'canary' },
  };
  expect(settings(filled)).not.toHaveProperty('clientCertificate');
  expect(settings({ ...filled, proxyKind: 'none' }).proxy).toEqual({ kind: 'none' });
  const all = settings({ ...filled, proxyKind: 'address', certificateKind: 'pem' });
  expect(all.proxy).toEqual({ kind: 'address', url: 'http://proxy.example.org:3128', user: 'ward' });
  expect(all.clientCertificate).toEqual({ kind: 'pem', certificateFile: '/a.pem', keyFile: '/b.pem' });
  expect(settings({ ...filled, certificateKind: 'pkcs12' }).clientCertificate).toEqual({
    kind: 'pkcs12',
    file: '/c.p12',
  });
  expect(JSON.stringify(all)).not.toContain('canary');
  expect(settings(formOf(all))).toEqual(all);
  expect(dropsSecret({ ...formOf(all), proxyUser: 'other' }, all, 'proxy')).toBe(true);
  expect(dropsSecret({ ...formOf(all), proxyUser: 'other' }, all, 'certificate')).toBe(false);
});

test.each([
  'proxy.example.org:3128',
  'https://proxy.example.org',
  'http://a:b@proxy',
  'http://proxy/path',
  '',
])('a proxy is an address and no more: %j', (proxyUrl) => {
  const read = settingsOf({ ...base, proxyKind: 'address', proxyUrl });
  expect('problems' in read && Object.keys(read.problems)).toEqual(['proxyUrl']);
});

test('what is wrong is named by its field', () => {
  const read = settingsOf({ ...base, name: '', baseUrl: 'http://x', kind: 'bearer', timeoutSeconds: 'soon' });
  expect('problems' in read && Object.keys(read.problems).sort()).toEqual([
    'baseUrl',
    'name',
    'timeoutSeconds',
  ]);
  const client = settingsOf({ ...base, kind: 'authorization-code' });
  expect('problems' in client && Object.keys(client.problems)).toEqual(['clientId']);
});

test('the form of a connection says the same settings again', () => {
  for (const kind of [
    'none',
    'bearer',
    'client-credentials',
    'smart-backend',
    'authorization-code',
  ] as const) {
    const kept = settings({
      kind,
      clientId: 'ward',
      keyId: 'k',
      caFile: '/etc/ca.pem',
      timeoutSeconds: '12',
    });
    expect(settingsOf(formOf(kept))).toEqual({ settings: kept });
  }
});

test('a kept secret is dropped with another server or another use, and with nothing else', () => {
  const kept = settings({ kind: 'client-credentials', clientId: 'ward' });
  const form = formOf(kept);
  expect(dropsSecret(form, kept, 'secret')).toBe(false);
  expect(
    dropsSecret(
      { ...form, name: 'Other', mode: 'normal', colour: 'red', timeoutSeconds: '9' },
      kept,
      'secret',
    ),
  ).toBe(false);
  expect(dropsSecret({ ...form, baseUrl: 'https://other.example.org' }, kept, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, caFile: '/etc/ssl/ca.pem' }, kept, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, proxyKind: 'none' }, kept, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, clientId: 'other' }, kept, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, kind: 'none' }, kept, 'secret')).toBe(true);
});

test('the address is completed where it has no path', () => {
  expect(completedUrl('https://fhir.example.org')).toBe('https://fhir.example.org/fhir-r4/v1');
  expect(completedUrl('https://fhir.example.org/fhir')).toBeUndefined();
  expect(completedUrl('nonsense')).toBeUndefined();
});
