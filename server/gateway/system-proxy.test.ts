import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProxyQuestion } from '../../core/app/server-messages.ts';
import { proxyOfPac, systemProxy } from './system-proxy.ts';

const url = new URL('https://fhir.example.org/r4');

test.each([
  ['DIRECT', undefined],
  ['PROXY p.example:8080; DIRECT', 'http://p.example:8080'],
  [' proxy p:1 ;PROXY q:1', 'http://p:1'],
  ['HTTPS p.example:443', 'https://p.example:443'],
  ['PROXY [::1]:3128', 'http://[::1]:3128'],
  ['SOCKS5 s:1080; PROXY p:1', 'http://p:1'],
  ['SOCKS s:1080; DIRECT', undefined],
  ['PROXY ; DIRECT', undefined],
])('of %j the first way that can be gone is %s', (pac, expected) => {
  expect(proxyOfPac(pac, url)).toBe(expected);
});

test.each([
  ['SOCKS s:1080', 'SOCKS'],
  ['SOCKS5 s:1080; SOCKS4 s:1080; QUIC q:443; SOCKS5 t:1', 'SOCKS5, SOCKS4, QUIC'],
])('%j is none, in a sentence of the step proxy', (pac, kinds) => {
  expect(() => proxyOfPac(pac, url)).toThrow(
    expect.objectContaining({
      ...{ name: 'RemoteFault', step: 'proxy', passing: false },
      message: `The system leads to fhir.example.org through a proxy that cannot be used here (${kinds}). Name one that speaks HTTP in the connection, or none.`,
    }),
  );
});

function prepare() {
  const asked: ProxyQuestion[] = [];
  return { asked, ...systemProxy((question) => asked.push(question)) };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubEnv('HTTPS_PROXY', 'http://ward:canary@own:8080');
  for (const name of ['https_proxy', 'NO_PROXY', 'no_proxy']) vi.stubEnv(name, undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test('each origin is asked for once in thirty seconds, whatever is asked below it', async () => {
  const { asked, choose, answered } = prepare();
  const both = [choose(url), choose(new URL('https://fhir.example.org/other'))];
  const token = choose(new URL('https://login.example.org/token'));
  expect(asked).toEqual([
    { type: 'proxy', ask: 1, origin: 'https://fhir.example.org' },
    { type: 'proxy', ask: 2, origin: 'https://login.example.org' },
  ]);
  answered({ type: 'proxy', ask: 2, pac: 'DIRECT' });
  answered({ type: 'proxy', ask: 1, pac: 'PROXY p:1' });
  expect([...(await Promise.all(both)), await token]).toEqual(['http://p:1', 'http://p:1', undefined]);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await choose(url)).toBe('http://p:1');
  await vi.advanceTimersByTimeAsync(1);
  const next = choose(url);
  answered({ type: 'proxy', ask: 3, pac: 'DIRECT' });
  expect(await next).toBeUndefined();
});

test.each([
  ['the shell knows nothing', {}],
  ['its answer is empty', { pac: '' }],
  ["it names the environment's, whose user and password it does not know", { pac: 'PROXY own:8080' }],
])('the environment is taken where %s', async (_what, answer) => {
  const { choose, answered } = prepare();
  const chosen = choose(url);
  answered({ type: 'proxy', ask: 1, ...answer });
  expect(await chosen).toBe('http://ward:canary@own:8080');
});

test('the environment is taken where the shell does not answer', async () => {
  const { choose } = prepare();
  const chosen = choose(url);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await chosen).toBe('http://ward:canary@own:8080');
});
