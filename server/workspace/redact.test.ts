import { expect, test } from 'vitest';
import { newToken } from '../access/secret.ts';
import { redactNote, redactPath } from './redact.ts';

const own = 'a-token-of-the-operators-own';

/** A minted token holds letters of both cases but for one in 10^9. */
const token = newToken();

test.each([
  ['/fhir-r4/v1/CarePlan?subject=1&code=x&_count=50'],
  ['/fhir-r4/v1/CarePlan/7f0e9d1c-2b3a-4c5d-8e9f-0a1b2c3d4e5f'],
  ['/fhir-r4/v1/Composition?date=ge2024-01-01&_sort=-date'],
  [`/fhir-r4/v1/CarePlan?_cursor=${'aB3'.repeat(14)}x`],
  ['/fhir-r4/v1/CarePlan?title=100%'],
])('what is no secret stays as it was sent: %s', (path) => {
  expect(redactPath(path, own)).toBe(path);
});

test.each([
  ['a parameter by name', `/p?access_token=short`, '/p?access_token=[redacted]'],
  ['a minted token', `/p?subject=${token}&a=b`, '/p?subject=[redacted]&a=b'],
  ['a minted token in a reference', `/p?subject=Patient/${token}`, '/p?subject=[redacted]'],
  ['a minted token as an id', `/CarePlan/${token}/_history`, '/CarePlan/[redacted]/_history'],
  ['a token without a name', `/p?${token}`, '/p?[redacted]'],
  ['the own token', `/p?text=x${own}y`, '/p?text=[redacted]'],
  ['the own token, escaped', `/p?text=${escaped(own)}`, '/p?text=[redacted]'],
  ['the own token, escaped twice', `/p?text=${encodeURIComponent(escaped(own))}`, '/p?text=[redacted]'],
  ['the own token as a cursor', `/p?_cursor=${own}`, '/p?_cursor=[redacted]'],
  ['a JSON Web Token', `/p?a=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x`, '/p?a=[redacted]'],
  ['a Bearer header', `/p?a=Bearer%20abcdefgh`, '/p?a=[redacted]'],
])('%s is redacted', (_name, path, clean) => {
  expect(redactPath(path, own)).toBe(clean);
});

test('a note loses the tokens in it and nothing else', () => {
  expect(redactNote(`Replaced with ${token}.`)).toBe('Replaced with [redacted].');
  expect(redactNote('Replaced /status in 3 records.')).toBe('Replaced /status in 3 records.');
});

function escaped(text: string): string {
  return text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

test('an address of many beginnings of tokens is looked through at once', () => {
  const path = `/${'eyJ-'.repeat(100_000)}`;
  expect(redactPath(path, '')).toBe(path);
});
