import { expect, test } from 'vitest';
import { createToken } from '../access/secret.ts';
import { redactNote, redactPath } from './redact.ts';

const ownToken = 'a-token-of-the-operators-own';

/** Created tokens contain letters of both cases, except for one in 10^9. */
const token = createToken();

test.each([
  ['/fhir-r4/v1/CarePlan?subject=1&code=x&_count=50'],
  ['/fhir-r4/v1/CarePlan/7f0e9d1c-2b3a-4c5d-8e9f-0a1b2c3d4e5f'],
  ['/fhir-r4/v1/Composition?date=ge2024-01-01&_sort=-date'],
  [`/fhir-r4/v1/CarePlan?_cursor=${'aB3'.repeat(14)}x`],
  ['/fhir-r4/v1/CarePlan?title=100%'],
])('keeps a path without a secret unchanged: %s', (path) => {
  expect(redactPath(path, ownToken)).toBe(path);
});

test.each([
  ['a parameter by name', `/p?access_token=short`, '/p?access_token=[redacted]'],
  ['a minted token', `/p?subject=${token}&a=b`, '/p?subject=[redacted]&a=b'],
  ['a minted token in a reference', `/p?subject=Patient/${token}`, '/p?subject=[redacted]'],
  ['a minted token as an id', `/CarePlan/${token}/_history`, '/CarePlan/[redacted]/_history'],
  ['a token without a name', `/p?${token}`, '/p?[redacted]'],
  ['the own token', `/p?text=x${ownToken}y`, '/p?text=[redacted]'],
  ['the own token, escaped', `/p?text=${escaped(ownToken)}`, '/p?text=[redacted]'],
  ['the own token, escaped twice', `/p?text=${encodeURIComponent(escaped(ownToken))}`, '/p?text=[redacted]'],
  ['the own token as a cursor', `/p?_cursor=${ownToken}`, '/p?_cursor=[redacted]'],
  ['a JSON Web Token', `/p?a=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.x`, '/p?a=[redacted]'],
  ['a Bearer header', `/p?a=Bearer%20abcdefgh`, '/p?a=[redacted]'],
])('redacts %s', (_name, path, clean) => {
  expect(redactPath(path, ownToken)).toBe(clean);
});

test('redacts only the tokens of a note', () => {
  expect(redactNote(`Replaced with ${token}.`)).toBe('Replaced with [redacted].');
  expect(redactNote('Replaced /status in 3 records.')).toBe('Replaced /status in 3 records.');
});

function escaped(text: string): string {
  return text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
}

test('checks a path with many token prefixes quickly', () => {
  const path = `/${'eyJ-'.repeat(100_000)}`;
  expect(redactPath(path, '')).toBe(path);
});
