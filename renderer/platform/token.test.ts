import { expect, test } from 'vitest';
import { storeToken, readStoredToken, consumeCode, type CodePlace } from './token.ts';

function codePlace(hash: string) {
  const addresses: string[] = [];
  const place: CodePlace = {
    location: { hash, pathname: '/', search: '?a=1' },
    history: { replaceState: (_data, _unused, address) => void addresses.push(address) },
  };
  return { place, addresses };
}

test('consumes a code in the fragment and removes it from the address', () => {
  const { place, addresses } = codePlace('#code=abc_-123');
  expect(consumeCode(place)).toBe('abc_-123');
  expect(addresses).toEqual(['/?a=1']);
});

test.each(['', '#', '#code=', '#token=abc', '#other'])('keeps the address without a code: %j', (hash) => {
  const { place, addresses } = codePlace(hash);
  expect(consumeCode(place)).toBeUndefined();
  expect(addresses).toEqual([]);
});

/** A browser tab with the cookies of all tabs. */
function tabOf(cookies: { cookie: string }) {
  const storedItems = new Map<string, string>();
  const storage = {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, value: string) => void storedItems.set(key, value),
    removeItem: (key: string) => void storedItems.delete(key),
  };
  return { storage, cookies, storedItems };
}

test('stores a token for the tab in two parts', () => {
  const cookies = { cookie: 'other=1; chartkeeper-other=2' };
  const token = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ0123456';
  const [firstTab, secondTab] = [tabOf(cookies), tabOf(cookies)];
  expect(readStoredToken(firstTab)).toBeUndefined();
  storeToken(token, firstTab);
  storeToken('the token of another tab', secondTab);
  expect(readStoredToken(firstTab)).toBe(token);
  expect(readStoredToken(secondTab)).toBe('the token of another tab');
  const [value = ''] = firstTab.storedItems.values();
  for (const text of [value, atob(value), cookies.cookie])
    for (let index = 0; index + 4 < token.length; index += 1)
      expect(text).not.toContain(token.slice(index, index + 4));
  // The browser was closed: its cookie is gone, the data in its profile stays.
  expect(readStoredToken({ storage: firstTab.storage, cookies: { cookie: '' } })).toBeUndefined();
  storeToken(undefined, firstTab);
  expect(readStoredToken(firstTab)).toBeUndefined();
  expect(firstTab.storedItems.size).toBe(0);
});
