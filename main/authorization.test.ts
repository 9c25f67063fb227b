import { describe, expect, it, vi } from 'vitest';
import { session } from 'electron';
import { authorize, createToken, setupAuthorization } from './authorization.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const ORIGIN = 'http://127.0.0.1:40123';
const RUNNING = { origin: () => ORIGIN, isRunning: () => true };
const RESTARTING = { origin: () => ORIGIN, isRunning: () => false };
const NOT_YET = { origin: () => undefined, isRunning: () => false };

describe('createToken', () => {
  it('creates 32 random bytes as base64url, different each time', () => {
    const tokens = Array.from({ length: 100 }, createToken);
    expect(new Set(tokens).size).toBe(100);
    for (const token of tokens) {
      expect(token).toMatch(/^[\w-]{43}$/);
      expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    }
  });
});

describe('authorize', () => {
  it.each([`${ORIGIN}/`, `${ORIGIN}/fhir-r4/v1/CarePlan?status=active`])('adds the token to %s', (url) => {
    expect(authorize({ url, requestHeaders: { Accept: '*/*' } }, RUNNING, 'T')).toEqual({
      requestHeaders: { Accept: '*/*', Authorization: 'Bearer T' },
    });
  });

  it('replaces Authorization headers of the page, in any case', () => {
    const requestHeaders = { authorization: 'Bearer other', AUTHORIZATION: 'Basic x', 'If-Match': 'W/"1"' };
    expect(authorize({ url: `${ORIGIN}/`, requestHeaders }, RUNNING, 'T')).toEqual({
      requestHeaders: { 'If-Match': 'W/"1"', Authorization: 'Bearer T' },
    });
  });

  it.each([
    'http://127.0.0.1:40124/',
    'https://127.0.0.1:40123/',
    'http://localhost:40123/',
    'http://127.0.0.1:40123@evil.example/',
    'http://user@127.0.0.1:40123/',
    'https://evil.example/?http://127.0.0.1:40123/',
    `blob:${ORIGIN}/1`,
    'data:text/html,x',
    'not an address',
  ])('never adds the token to %s, and removes it after a redirect', (url) => {
    expect(authorize({ url, requestHeaders: { Accept: '*/*' } }, RUNNING, 'T')).toEqual({
      requestHeaders: { Accept: '*/*' },
    });
    expect(authorize({ url, requestHeaders: { authorization: 'Bearer T', A: 'b' } }, RUNNING, 'T')).toEqual({
      requestHeaders: { A: 'b' },
    });
  });

  it('cancels requests while the server is down, since another process may use its port', () => {
    expect(authorize({ url: `${ORIGIN}/`, requestHeaders: {} }, RESTARTING, 'T')).toEqual({ cancel: true });
  });

  it('adds the token to no request before the origin is known', () => {
    expect(authorize({ url: `${ORIGIN}/`, requestHeaders: {} }, NOT_YET, 'T')).toEqual({
      requestHeaders: {},
    });
  });
});

describe('setupAuthorization', () => {
  it('authorizes each request of the session by that decision', () => {
    const server = { origin: () => ORIGIN, isRunning: vi.fn(() => true) };
    setupAuthorization(session.fromPartition('x'), server, 'T');
    const { filterRequest } = bindSession(fake.getLatest(fake.sessions));
    expect(filterRequest(`${ORIGIN}/`)).toEqual({ requestHeaders: { Authorization: 'Bearer T' } });
    expect(filterRequest('https://evil.example/')).toEqual({ requestHeaders: {} });
    server.isRunning.mockReturnValue(false);
    expect(filterRequest(`${ORIGIN}/`)).toEqual({ cancel: true });
  });
});

function bindSession(target: fake.FakeSession) {
  return { filterRequest: (url: string) => target.filterRequest(url) };
}
