import { expect, test } from 'vitest';
import { readBaseUrl } from './base-url.ts';

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
])('%s is read as %s', (value, text, host) => {
  expect(readBaseUrl(value)).toEqual({ text });
  expect(new URL(text).href.replace(/\/$/, '')).toBe(text);
  expect(new URL(text).host).toBe(host);
});

test.each([
  ['', 'Enter the base URL'],
  [undefined, 'Enter the base URL'],
  ['fhir.example.org', 'An absolute https address'],
  ['ftp://fhir.example.org', 'An absolute https address'],
  ['https://', 'An absolute https address'],
  ['https://a b/', 'An absolute https address'],
  ['https://fhir.example.org:0', 'An absolute https address'],
  ['https://fhir.example.org:70000', 'An absolute https address'],
  ['https://fhir.example.org\\evil.example', 'An absolute https address'],
  ['https://fhir.example.org/fhir?x=1', 'no query and no fragment'],
  ['https://fhir.example.org/fhir#x', 'no query and no fragment'],
  ['https://user:pass@fhir.example.org', 'no user name and no password'],
  ['https://token@fhir.example.org', 'no user name and no password'],
  ['https://fhir.example.org/a/../b', 'plain segments'],
  ['https://fhir.example.org/a//b', 'plain segments'],
  ['https://fhir.example.org/a%2fb', 'plain segments'],
  ['http://fhir.example.org', 'Only https'],
  ['http://127.0.0.1.example.org', 'Only https'],
  ['http://localhost.example.org', 'Only https'],
  ['http://2130706433/', 'Only https'],
  ['http://0x7f.1/', 'Only https'],
  ['http://192.168.0.1/fhir', 'Only https'],
])('%s is refused with a sentence', (value, sentence) => {
  expect(readBaseUrl(value)).toEqual({ problem: expect.stringContaining(sentence) });
});
