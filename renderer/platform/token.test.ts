import { expect, test } from 'vitest';
import { keepToken, takeToken, type TokenPlace } from './token.ts';

function place(hash: string, stored?: string) {
  const kept = new Map<string, string>(stored === undefined ? [] : [['chartkeeper.token', stored]]);
  const addresses: string[] = [];
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const tokenPlace: TokenPlace = {
    location: { hash, pathname: '/', search: '?a=1' },
    history: { replaceState: (_data, _unused, address) => void addresses.push(address) },
    storage,
  };
  return { tokenPlace, addresses, kept };
}

test('a token in the fragment is taken, kept for the tab and removed from the address', () => {
  const { tokenPlace, addresses, kept } = place('#token=abc_-123');
  expect(takeToken(tokenPlace)).toBe('abc_-123');
  expect(addresses).toEqual(['/?a=1']);
  expect([...kept.values()]).toEqual(['abc_-123']);
});

test('without a fragment the kept token is used and the address stays', () => {
  const { tokenPlace, addresses } = place('', 'kept');
  expect(takeToken(tokenPlace)).toBe('kept');
  expect(addresses).toEqual([]);
});

test('a new token in the fragment replaces the kept one', () => {
  const { tokenPlace, kept } = place('#token=new', 'old');
  expect(takeToken(tokenPlace)).toBe('new');
  expect([...kept.values()]).toEqual(['new']);
});

test('an empty token counts as none', () => {
  const { tokenPlace, kept } = place('#token=');
  expect(takeToken(tokenPlace)).toBeUndefined();
  keepToken('pasted', tokenPlace.storage);
  expect([...kept.values()]).toEqual(['pasted']);
});
