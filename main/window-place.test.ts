import { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { readShellState, type ShellState } from './shell-state.ts';
import * as fake from './testing/fake-electron.ts';
import { changeZoom, placeOf, setupPlace, USUAL_SIZE } from './window-place.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const LEFT = { x: 0, y: 0, width: 1920, height: 1080 };
const RIGHT = { x: 1920, y: 0, width: 1920, height: 1080 };
const SIZE = { width: 900, height: 600 };

it.each([
  [{ ...SIZE, x: 10, y: 10 }, [LEFT], true],
  [{ ...SIZE, x: 2000, y: 10 }, [LEFT, RIGHT], true],
  [{ ...SIZE, x: 2000, y: 10 }, [LEFT], false],
  [{ ...SIZE, x: 1821, y: 10 }, [LEFT], false],
  [{ ...SIZE, x: 1820, y: 10 }, [LEFT], true],
  [{ ...SIZE, x: 10, y: -5 }, [LEFT], false],
  [{ ...SIZE, x: 10, y: 1000 }, [LEFT], false],
  [{ x: 0, y: 0, width: 100, height: 600 }, [LEFT], false],
])('%j on %j is taken: %s', (bounds, areas, taken) => {
  expect(placeOf(bounds, areas)).toEqual(taken ? bounds : USUAL_SIZE);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function prepare(kept: Partial<ShellState> = {}) {
  let state = { ...readShellState({}), ...kept };
  const store = {
    get: () => state,
    change: vi.fn((part: Partial<ShellState>) => void (state = { ...state, ...part })),
  };
  const shown = new BrowserWindow();
  const window = fake.newest(fake.windows);
  setupPlace(shown, store, systemClock);
  return { shown, window, store };
}

it('keeps the place once the window rests, and that it is maximized beside the place before', () => {
  const { window, store } = prepare();
  window.emit('move');
  window.emit('resize');
  expect(store.change).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  const bounds = { x: 10, y: 20, width: 1000, height: 700 };
  expect(store.change.mock.calls).toEqual([[{ maximized: false, bounds }]]);
  window.isMaximized.mockReturnValue(true);
  window.getBounds.mockReturnValue({ x: 0, y: 0, width: 1920, height: 1080 });
  window.emit('maximize');
  vi.advanceTimersByTime(500);
  expect(store.get()).toMatchObject({ maximized: true, bounds });
  window.isMinimized.mockReturnValue(true);
  window.emit('move');
  vi.advanceTimersByTime(500);
  expect(store.change).toHaveBeenCalledTimes(2);
});

it('is maximized again, when it is drawn and not before', () => {
  const { window } = prepare({ maximized: true });
  expect(window.maximize).not.toHaveBeenCalled();
  window.emit('ready-to-show');
  expect(window.maximize).toHaveBeenCalledOnce();
});

it('zooms each page as the last one, and keeps what the user chooses, within bounds', () => {
  const { shown, window, store } = prepare({ zoom: 2 });
  window.webContents.emit('did-finish-load');
  expect(window.webContents.zoomLevel).toBe(2);
  changeZoom(shown, store, (level) => level + 1);
  expect([window.webContents.zoomLevel, store.get().zoom]).toEqual([3, 3]);
  changeZoom(shown, store, () => 50);
  expect(store.get().zoom).toBe(4);
  changeZoom(shown, store, () => -50);
  expect(store.get().zoom).toBe(-3);
});
