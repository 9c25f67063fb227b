import { expect, test } from 'vitest';
import { check } from './check.ts';
import { TokenRequest, tokenLimits, tokenState } from './tokens.ts';

const good = { name: 'lab feed', scopes: ['system/CarePlan.read'] };

test('accepts a token request with and without expiry', () => {
  expect(check(TokenRequest, good)).toEqual({ value: good });
  expect(check(TokenRequest, { ...good, expiresIn: 60 })).toEqual({ value: { ...good, expiresIn: 60 } });
  expect(check(TokenRequest, { ...good, expiresIn: tokenLimits.seconds })).toHaveProperty('value');
});

test.each([
  ['name', { ...good, name: undefined }],
  ['name', { ...good, name: '' }],
  ['name', { ...good, name: ' padded' }],
  ['name', { ...good, name: 'two\nlines' }],
  ['name', { ...good, name: 'Owner' }],
  ['name', { ...good, name: 'x'.repeat(101) }],
  ['scopes', { ...good, scopes: [] }],
  ['scopes', { ...good, scopes: 'system/*.*' }],
  ['scopes', { ...good, scopes: ['system/*.*', 'system/*.*'] }],
  ['scopes[1]', { ...good, scopes: ['system/*.*', 'system/Patient.read'] }],
  ['expiresIn', { ...good, expiresIn: 0 }],
  ['expiresIn', { ...good, expiresIn: 1.5 }],
  ['expiresIn', { ...good, expiresIn: '60' }],
  ['expiresIn', { ...good, expiresIn: null }],
  ['expiresIn', { ...good, expiresIn: tokenLimits.seconds + 1 }],
  [undefined, { ...good, admin: true }],
  [undefined, []],
  [undefined, null],
])('reports one problem of %s for %j', (expression, value) => {
  expect(check(TokenRequest, value)).toEqual({
    problems: [
      expect.objectContaining({
        text: expect.stringMatching(/\.$/),
        messageCode: expect.stringMatching(/^token\./),
        ...(expression !== undefined && { expression }),
      }),
    ],
  });
});

test('reports one problem for each error', () => {
  expect(check(TokenRequest, { scopes: ['a', 'b'], expiresIn: -1, x: 1 })).toMatchObject({
    problems: [{}, {}, {}, {}, {}],
  });
});

test('treats a token as active until it expires or is revoked', () => {
  const token = {
    id: '1',
    ...good,
    created: '2026-01-01T00:00:00.000Z',
    expires: '2026-01-02T00:00:00.000Z',
  };
  expect(tokenState(token, Date.parse('2026-01-01T23:59:59.999Z'))).toBe('active');
  expect(tokenState(token, Date.parse('2026-01-02T00:00:00.000Z'))).toBe('expired');
  expect(tokenState({ ...token, revoked: token.created }, 0)).toBe('revoked');
});
