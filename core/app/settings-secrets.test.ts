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
])('%j looks like a secret at %s', (value, place) => {
  expect(secretIn(value)).toBe(
    `${place} looks like a secret. Remove it from the file, and enter it in the connection: files hold none.`,
  );
});

test.each([
  [{ tokenUrl: 'https://host/token', tokens: 3, authorizationUrl: 'x', cookies: 1 }],
  [{ note: 'the bearer', address: 'http://host:80/a@b', other: 'a Bearer x' }],
  [null],
  [undefined],
  [7],
  [['a', { b: null }]],
  ['eyJ'],
])('%j holds no secret', (value) => {
  expect(secretIn(value)).toBeUndefined();
});

test('a text that is a secret by itself is told at its place', () => {
  expect(secretIn('Basic abc', 'a')).toMatch(/^a looks like a secret/);
});
