import { BrowserWindow } from 'electron';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from './clock.ts';
import { readShellState, type ShellState } from './shell-state.ts';
import * as fake from './testing/fake-electron.ts';
import { changeZoom, getVisibleBounds, setupWindowBounds, DEFAULT_SIZE } from './window-bounds.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const LEFT_SCREEN = { x: 0, y: 0, width: 1920, height: 1080 };
const RIGHT_SCREEN = { x: 1920, y: 0, width: 1920, height: 1080 };
const SIZE = { width: 900, height: 600 };

it.each([
  [{ ...SIZE, x: 10, y: 10 }, [LEFT_SCREEN], true],
  [{ ...SIZE, x: 2000, y: 10 }, [LEFT_SCREEN, RIGHT_SCREEN], true],
  [{ ...SIZE, x: 2000, y: 10 }, [LEFT_SCREEN], false],
  [{ ...SIZE, x: 1821, y: 10 }, [LEFT_SCREEN], false],
  [{ ...SIZE, x: 1820, y: 10 }, [LEFT_SCREEN], true],
  [{ ...SIZE, x: 10, y: -5 }, [LEFT_SCREEN], false],
  [{ ...SIZE, x: 10, y: 1000 }, [LEFT_SCREEN], false],
  [{ x: 0, y: 0, width: 100, height: 600 }, [LEFT_SCREEN], false],
])('restores %j on %j: %s', (bounds, areas, isRestored) => {
  expect(getVisibleBounds(bounds, areas)).toEqual(isRestored ? bounds : DEFAULT_SIZE);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function prepare(storedState: Partial<ShellState> = {}) {
  let state = { ...readShellState({}), ...storedState };
  const store = {
    get: () => state,
    change: vi.fn((part: Partial<ShellState>) => void (state = { ...state, ...part })),
  };
  const browserWindow = new BrowserWindow();
  const window = fake.getLatest(fake.windows);
  setupWindowBounds(browserWindow, store, systemClock);
  return { browserWindow, window, store };
}

it('stores the bounds after a pause, and the maximized state besides the last normal bounds', () => {
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

it('maximizes again when it is ready to show, not before', () => {
  const { window } = prepare({ maximized: true });
  expect(window.maximize).not.toHaveBeenCalled();
  window.emit('ready-to-show');
  expect(window.maximize).toHaveBeenCalledOnce();
});

it("applies the stored zoom to each page, and stores the user's choice within limits", () => {
  const { browserWindow, window, store } = prepare({ zoom: 2 });
  window.webContents.emit('did-finish-load');
  expect(window.webContents.zoomLevel).toBe(2);
  changeZoom(browserWindow, store, (level) => level + 1);
  expect([window.webContents.zoomLevel, store.get().zoom]).toEqual([3, 3]);
  changeZoom(browserWindow, store, () => 50);
  expect(store.get().zoom).toBe(4);
  changeZoom(browserWindow, store, () => -50);
  expect(store.get().zoom).toBe(-3);
});
