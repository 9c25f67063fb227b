import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as WindowIds from './window-ids.ts';
import { formerWindows, newWindowId } from './window-ids.ts';

const key = 'chartkeeper.windows';
const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

const ids = (): unknown => JSON.parse(kept.get(key) ?? '[]');

test('a window remembers each id that it had, the last 32 of them', () => {
  const all = Array.from({ length: 33 }, newWindowId);
  expect(new Set(all).size).toBe(33);
  expect(ids()).toEqual(all.slice(-32));
});

test.each(['{', '{"a":1}', '[17,null]'])('what is no list of ids is forgotten: %s', (odd) => {
  kept.set(key, odd);
  const id = newWindowId();
  expect(ids()).toEqual([id]);
});

test('a window that is loaded anew knows its ids that no living window has', async () => {
  const living = newWindowId();
  kept.set(key, JSON.stringify(['gone', living]));
  const again = './window-ids.ts?again';
  // oxlint-disable-next-line import/no-dynamic-require -- of the same module once more
  const loaded = (await import(again)) as typeof WindowIds;
  await expect.poll(() => loaded.formerWindows.get()).toEqual(new Set(['gone']));
});

test('without a storage a window has an id all the same', () => {
  vi.stubGlobal('sessionStorage', undefined);
  expect(newWindowId()).toMatch(/^[0-9a-f-]{36}$/);
  expect(formerWindows.get()).toEqual(new Set());
});
