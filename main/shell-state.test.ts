import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { createStateStore, readShellState, withConnection } from './shell-state.ts';
import { temporaryFolder } from './testing/temp-folder.ts';

const firstState = { maximized: false, zoom: 0, connections: [], lockMinutes: 0 };

it.each([undefined, null, 'text', [], {}])('%j is a first start', (storedState) => {
  expect(readShellState(storedState)).toEqual(firstState);
});

it('reads each field separately, and uses its default if it is invalid', () => {
  const bounds = { x: -1200, y: 0, width: 900, height: 700 };
  const good = { bounds, maximized: true, zoom: -1.5, connections: ['Ward'], lockMinutes: 15 };
  expect(readShellState(good)).toEqual(good);
  for (const [name, invalidValue] of Object.entries({
    bounds: { ...bounds, x: Number.NaN },
    maximized: 'yes',
    zoom: 400,
    connections: 'Ward',
    lockMinutes: 7,
  })) {
    const stateWithout = readShellState({ ...good, [name]: undefined });
    expect(readShellState({ ...good, [name]: invalidValue })).toEqual(stateWithout);
  }
  expect(readShellState({ connections: ['Ward', 7, 'a\nb', ''] }).connections).toEqual(['Ward']);
});

it('keeps eight connections, the latest first and none twice', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  expect(withConnection(names, 'c')).toEqual(['c', 'a', 'b', 'd', 'e', 'f', 'g', 'h']);
  expect(withConnection(names, 'x')).toEqual(['x', 'a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

it('stores state for the next start, and works without a readable or writable file', () => {
  const file = join(temporaryFolder(), 'shell.json');
  const log = vi.fn();
  createStateStore(file, log).change({ zoom: 2 });
  expect(createStateStore(file, log).get()).toEqual({ ...firstState, zoom: 2 });
  writeFileSync(file, '{"zoom":');
  expect(createStateStore(file, log).get()).toEqual(firstState);
  expect(log).not.toHaveBeenCalled();

  const blocked = createStateStore(join(file, 'below-a-file.json'), log);
  blocked.change({ zoom: 1 });
  expect(blocked.get().zoom).toBe(1);
  expect(log.mock.calls).toEqual([['window state: not written']]);
  expect(readFileSync(file, 'utf8')).toBe('{"zoom":');
});
