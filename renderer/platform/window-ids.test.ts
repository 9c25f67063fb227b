import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as WindowIds from './window-ids.ts';
import { previousWindows, newWindowId } from './window-ids.ts';

const key = 'chartkeeper.windows';
const storage = new Map<string, string>();

beforeEach(() => {
  storage.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => storage.get(name) ?? null,
    setItem: (name: string, value: string) => void storage.set(name, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const ids = (): unknown => JSON.parse(storage.get(key) ?? '[]');

test('remembers the last 32 IDs of a window', () => {
  const newIds = Array.from({ length: 33 }, newWindowId);
  expect(new Set(newIds).size).toBe(33);
  expect(ids()).toEqual(newIds.slice(-32));
});

test.each(['{', '{"a":1}', '[17,null]'])(
  'ignores a stored value that is not a list of IDs: %s',
  (storedText) => {
    storage.set(key, storedText);
    const id = newWindowId();
    expect(ids()).toEqual([id]);
  },
);

test('knows the IDs of this window that no living window has after a reload', async () => {
  const living = newWindowId();
  storage.set(key, JSON.stringify(['gone', living]));
  const address = './window-ids.ts?again';
  // oxlint-disable-next-line import/no-dynamic-require -- of the same module once more
  const reloaded = (await import(address)) as typeof WindowIds;
  await expect.poll(() => reloaded.previousWindows.get()).toEqual(new Set(['gone']));
});

test('returns an ID without a storage', () => {
  vi.stubGlobal('sessionStorage', undefined);
  expect(newWindowId()).toMatch(/^[0-9a-f-]{36}$/);
  expect(previousWindows.get()).toEqual(new Set());
});
