import { expect, test } from 'vitest';
import { keepToken, keptToken, takeCode, type TokenPlace } from './token.ts';

function place(hash: string) {
  const addresses: string[] = [];
  const tokenPlace: TokenPlace = {
    location: { hash, pathname: '/', search: '?a=1' },
    history: { replaceState: (_data, _unused, address) => void addresses.push(address) },
  };
  return { tokenPlace, addresses };
}

test('a code in the fragment is taken and removed from the address', () => {
  const { tokenPlace, addresses } = place('#code=abc_-123');
  expect(takeCode(tokenPlace)).toBe('abc_-123');
  expect(addresses).toEqual(['/?a=1']);
});

test.each(['', '#', '#code=', '#token=abc', '#other'])('without a code the address stays: %j', (hash) => {
  const { tokenPlace, addresses } = place(hash);
  expect(takeCode(tokenPlace)).toBeUndefined();
  expect(addresses).toEqual([]);
});

test('a token is kept for the tab until it is forgotten', () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  expect(keptToken(storage)).toBeUndefined();
  keepToken('a', storage);
  expect(keptToken(storage)).toBe('a');
  keepToken(undefined, storage);
  expect(kept.size).toBe(0);
});
