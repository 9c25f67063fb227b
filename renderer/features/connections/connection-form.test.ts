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
  const result = settingsOf({ ...base, ...change });
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.settings;
}

test('converts a form to normalized settings, read-only by default', () => {
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

test('sends only the fields of the selected authentication, without the secret', () => {
  const formValues = { clientId: 'ward', scope: ' system/*.rs ', keyId: 'k1', secret: 'canary' };
  expect(settings({ ...formValues, kind: 'client-credentials' }).authentication).toEqual({
    kind: 'client-credentials',
    clientId: 'ward',
    scope: 'system/*.rs',
  });
  expect(settings({ ...formValues, kind: 'smart-backend' }).authentication).toEqual({
    kind: 'smart-backend',
    clientId: 'ward',
    scope: 'system/*.rs',
    keyId: 'k1',
    algorithm: 'RS384',
  });
  expect(JSON.stringify(settings({ ...formValues, kind: 'bearer' }))).not.toContain('canary');
});

test('converts proxy and client certificate with their own fields, without secrets', () => {
  const formValues = {
    proxyUrl: ' http://proxy.example.org:3128 ',
    proxyUser: 'ward',
    proxySecret: 'canary',
    certificateFile: '/a.pem',
    keyFile: '/b.pem',
    file: '/c.p12',
    certificateSecret: 'canary',
  };
  expect(settings(formValues)).not.toHaveProperty('clientCertificate');
  expect(settings({ ...formValues, proxyKind: 'none' }).proxy).toEqual({ kind: 'none' });
  const completeSettings = settings({ ...formValues, proxyKind: 'address', certificateKind: 'pem' });
  expect(completeSettings.proxy).toEqual({
    kind: 'address',
    url: 'http://proxy.example.org:3128',
    user: 'ward',
  });
  expect(completeSettings.clientCertificate).toEqual({
    kind: 'pem',
    certificateFile: '/a.pem',
    keyFile: '/b.pem',
  });
  expect(settings({ ...formValues, certificateKind: 'pkcs12' }).clientCertificate).toEqual({
    kind: 'pkcs12',
    file: '/c.p12',
  });
  expect(JSON.stringify(completeSettings)).not.toContain('canary');
  expect(settings(formOf(completeSettings))).toEqual(completeSettings);
  expect(dropsSecret({ ...formOf(completeSettings), proxyUser: 'other' }, completeSettings, 'proxy')).toBe(
    true,
  );
  expect(
    dropsSecret({ ...formOf(completeSettings), proxyUser: 'other' }, completeSettings, 'certificate'),
  ).toBe(false);
});

test.each([
  'proxy.example.org:3128',
  'https://proxy.example.org',
  'http://a:b@proxy',
  'http://proxy/path',
  '',
])('rejects a proxy that is more than an address: %j', (proxyUrl) => {
  const result = settingsOf({ ...base, proxyKind: 'address', proxyUrl });
  expect('problems' in result && Object.keys(result.problems)).toEqual(['proxyUrl']);
});

test('reports problems by field', () => {
  const result = settingsOf({
    ...base,
    name: '',
    baseUrl: 'http://x',
    kind: 'bearer',
    timeoutSeconds: 'soon',
  });
  expect('problems' in result && Object.keys(result.problems).sort()).toEqual([
    'baseUrl',
    'name',
    'timeoutSeconds',
  ]);
  const client = settingsOf({ ...base, kind: 'authorization-code' });
  expect('problems' in client && Object.keys(client.problems)).toEqual(['clientId']);
});

test('converts settings to a form and back without change', () => {
  for (const kind of [
    'none',
    'bearer',
    'client-credentials',
    'smart-backend',
    'authorization-code',
  ] as const) {
    const savedSettings = settings({
      kind,
      clientId: 'ward',
      keyId: 'k',
      caFile: '/etc/ca.pem',
      timeoutSeconds: '12',
    });
    expect(settingsOf(formOf(savedSettings))).toEqual({ settings: savedSettings });
  }
});

test('drops a stored secret only for another server or use', () => {
  const savedSettings = settings({ kind: 'client-credentials', clientId: 'ward' });
  const form = formOf(savedSettings);
  expect(dropsSecret(form, savedSettings, 'secret')).toBe(false);
  expect(
    dropsSecret(
      { ...form, name: 'Other', mode: 'normal', colour: 'red', timeoutSeconds: '9' },
      savedSettings,
      'secret',
    ),
  ).toBe(false);
  expect(dropsSecret({ ...form, baseUrl: 'https://other.example.org' }, savedSettings, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, caFile: '/etc/ssl/ca.pem' }, savedSettings, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, proxyKind: 'none' }, savedSettings, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, clientId: 'other' }, savedSettings, 'secret')).toBe(true);
  expect(dropsSecret({ ...form, kind: 'none' }, savedSettings, 'secret')).toBe(true);
});

test('completes an address without a path', () => {
  expect(completedUrl('https://fhir.example.org')).toBe('https://fhir.example.org/fhir-r4/v1');
  expect(completedUrl('https://fhir.example.org/fhir')).toBeUndefined();
  expect(completedUrl('nonsense')).toBeUndefined();
});
