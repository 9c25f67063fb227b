import { expect, test } from 'vitest';
import { keepToken, keptToken, takeCode, type CodePlace } from './token.ts';

function codePlace(hash: string) {
  const addresses: string[] = [];
  const place: CodePlace = {
    location: { hash, pathname: '/', search: '?a=1' },
    history: { replaceState: (_data, _unused, address) => void addresses.push(address) },
  };
  return { place, addresses };
}

test('a code in the fragment is taken and removed from the address', () => {
  const { place, addresses } = codePlace('#code=abc_-123');
  expect(takeCode(place)).toBe('abc_-123');
  expect(addresses).toEqual(['/?a=1']);
});

test.each(['', '#', '#code=', '#token=abc', '#other'])('without a code the address stays: %j', (hash) => {
  const { place, addresses } = codePlace(hash);
  expect(takeCode(place)).toBeUndefined();
  expect(addresses).toEqual([]);
});

/** A tab of a browser, with the cookies of all its tabs. */
function tabOf(cookies: { cookie: string }) {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  return { storage, cookies, kept };
}

test('a token is kept for the tab until it is forgotten; neither place holds it', () => {
  const cookies = { cookie: 'other=1; chartkeeper-other=2' };
  const token = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456';
  const [one, other] = [tabOf(cookies), tabOf(cookies)];
  expect(keptToken(one)).toBeUndefined();
  keepToken(token, one);
  keepToken('the token of another tab', other);
  expect(keptToken(one)).toBe(token);
  expect(keptToken(other)).toBe('the token of another tab');
  const [value = ''] = one.kept.values();
  for (const text of [value, atob(value), cookies.cookie])
    for (let at = 0; at + 4 < token.length; at += 1) expect(text).not.toContain(token.slice(at, at + 4));
  // The browser was closed: its cookie is gone, what its profile holds stays.
  expect(keptToken({ storage: one.storage, cookies: { cookie: '' } })).toBeUndefined();
  keepToken(undefined, one);
  expect(keptToken(one)).toBeUndefined();
  expect(one.kept.size).toBe(0);
});
