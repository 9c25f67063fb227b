import { expect, test } from 'vitest';
import { secretIn } from './settings-files.ts';

test.each<[value: unknown, place: string]>([
  [{ clientSecret: 'x' }, 'clientSecret'],
  [{ a: [{ password: 'x' }] }, 'a.0.password'],
  [{ pass_phrase: 1 }, 'pass_phrase'],
  [{ privateKey: '' }, 'privateKey'],
  [{ 'x-api-key': 1, api_key: 1 }, 'api_key'],
  [{ Authorization: 'x' }, 'Authorization'],
  [{ proxyAuthorization: 'x' }, 'proxyAuthorization'],
  [{ Cookie: 'x' }, 'Cookie'],
  [{ token: 'x' }, 'token'],
  [{ my_access_token: 'x' }, 'my_access_token'],
  [{ note: '-----BEGIN RSA PRIVATE KEY-----' }, 'note'],
  [{ note: 'Bearer abc' }, 'note'],
  [{ note: 'eyJhbGciOi.eyJzdWIi.x' }, 'note'],
  [{ proxy: { address: 'http://user:word@host' } }, 'proxy.address'],
])('finds a likely secret in %j at %s', (value, place) => {
  expect(secretIn(value)).toMatchObject({ messageCode: 'settings.secret', parameters: { member: place } });
});

test.each([
  [{ tokenUrl: 'https://host/token', tokens: 3, authorizationUrl: 'x', cookies: 1 }],
  [{ note: 'the bearer', address: 'http://host:80/a@b', other: 'a Bearer x' }],
  [null],
  [undefined],
  [7],
  [['a', { b: null }]],
  ['eyJ'],
])('finds no secret in %j', (value) => {
  expect(secretIn(value)).toBeUndefined();
});

test('reports a text that is a secret itself', () => {
  expect(secretIn('Basic abc', 'a')?.text).toMatch(/^a looks like a secret/);
});
