import { expect, test } from 'vitest';
import { parseBaseUrl } from './base-url.ts';

test.each([
  ['https://fhir.example.org', 'https://fhir.example.org/fhir-r4/v1', 'fhir.example.org'],
  ['https://fhir.example.org/', 'https://fhir.example.org/fhir-r4/v1', 'fhir.example.org'],
  [' HTTPS://FHIR.Example.org:443/R4/ ', 'https://fhir.example.org/R4', 'fhir.example.org'],
  [
    'https://fhir.example.org:8443/hapi/fhir',
    'https://fhir.example.org:8443/hapi/fhir',
    'fhir.example.org:8443',
  ],
  ['http://localhost:8080/fhir', 'http://localhost:8080/fhir', 'localhost:8080'],
  ['http://127.0.0.1:4180', 'http://127.0.0.1:4180/fhir-r4/v1', '127.0.0.1:4180'],
  ['http://[::1]:80/fhir', 'http://[::1]/fhir', '[::1]'],
])('parses %s as %s', (value, text, host) => {
  expect(parseBaseUrl(value)).toEqual({ text });
  expect(new URL(text).href.replace(/\/$/, '')).toBe(text);
  expect(new URL(text).host).toBe(host);
});

test.each([
  ['', 'missing'],
  [undefined, 'missing'],
  ['fhir.example.org', 'absolute'],
  ['ftp://fhir.example.org', 'absolute'],
  ['https://', 'absolute'],
  ['https://a b/', 'absolute'],
  ['https://fhir.example.org:0', 'absolute'],
  ['https://fhir.example.org:70000', 'absolute'],
  ['https://fhir.example.org\\evil.example', 'absolute'],
  ['https://fhir.example.org/fhir?x=1', 'query'],
  ['https://fhir.example.org/fhir#x', 'query'],
  ['https://user:pass@fhir.example.org', 'user'],
  ['https://token@fhir.example.org', 'user'],
  ['https://fhir.example.org/a/../b', 'segments'],
  ['https://fhir.example.org/a//b', 'segments'],
  ['https://fhir.example.org/a%2fb', 'segments'],
  ['http://fhir.example.org', 'https'],
  ['http://127.0.0.1.example.org', 'https'],
  ['http://localhost.example.org', 'https'],
  ['http://2130706433/', 'https'],
  ['http://0x7f.1/', 'https'],
  ['http://192.168.0.1/fhir', 'https'],
])('rejects %s with a message', (value, fault) => {
  const problem = expect.objectContaining({ messageCode: `baseUrl.${fault}` }) as unknown;
  expect(parseBaseUrl(value)).toEqual({ problem });
});
