import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ProxyRequest } from '../../core/app/server-messages.ts';
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
])('finds in %j the first usable proxy: %s', (pac, expected) => {
  expect(proxyOfPac(pac, url)).toBe(expected);
});

test.each([
  ['SOCKS s:1080', 'SOCKS'],
  ['SOCKS5 s:1080; SOCKS4 s:1080; QUIC q:443; SOCKS5 t:1', 'SOCKS5, SOCKS4, and QUIC'],
])('rejects %j with a message of the step proxy', (pac, kinds) => {
  expect(() => proxyOfPac(pac, url)).toThrow(
    expect.objectContaining({
      name: 'RemoteError',
      step: 'proxy',
      passing: false,
      message: `The system’s proxy for fhir.example.org can’t be used here (${kinds}). Enter an HTTP proxy in the connection, or none.`,
    }),
  );
});

function prepare() {
  const prompts: ProxyRequest[] = [];
  return { prompts, ...systemProxy((question) => prompts.push(question)) };
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

test('asks for each origin once in thirty seconds', async () => {
  const { prompts, choose, handleAnswer } = prepare();
  const choices = [choose(url), choose(new URL('https://fhir.example.org/other'))];
  const token = choose(new URL('https://login.example.org/token'));
  expect(prompts).toEqual([
    { type: 'proxy', ask: 1, origin: 'https://fhir.example.org' },
    { type: 'proxy', ask: 2, origin: 'https://login.example.org' },
  ]);
  handleAnswer({ type: 'proxy', ask: 2, pac: 'DIRECT' });
  handleAnswer({ type: 'proxy', ask: 1, pac: 'PROXY p:1' });
  expect([...(await Promise.all(choices)), await token]).toEqual(['http://p:1', 'http://p:1', undefined]);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(await choose(url)).toBe('http://p:1');
  await vi.advanceTimersByTimeAsync(1);
  const next = choose(url);
  handleAnswer({ type: 'proxy', ask: 3, pac: 'DIRECT' });
  expect(await next).toBeUndefined();
});

test.each([
  ['the shell knows nothing', {}],
  ['its answer is empty', { pac: '' }],
  ["it names the environment's, whose user and password it does not know", { pac: 'PROXY own:8080' }],
])('uses the environment if %s', async (_description, response) => {
  const { choose, handleAnswer } = prepare();
  const choice = choose(url);
  handleAnswer({ type: 'proxy', ask: 1, ...response });
  expect(await choice).toBe('http://ward:canary@own:8080');
});

test('uses the environment if the shell does not respond', async () => {
  const { choose } = prepare();
  const choice = choose(url);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await choice).toBe('http://ward:canary@own:8080');
});
