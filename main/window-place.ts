import type { BrowserWindow } from 'electron';
import type { Clock } from './clock.ts';
import type { Bounds, StateStore } from './shell-state.ts';

export const USUAL_SIZE = { width: 1280, height: 800 } as const;
export const LEAST_SIZE = { width: 720, height: 480 } as const;

/** Milliseconds of rest after which a new place is kept. */
const REST_MS = 500;
/** So much of the window must lie on a screen to be taken hold of. */
const GRIP = 100;

function overlap(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);
}

/**
 * Returns where to open the window: where it was, when a screen still shows it there; else the usual size, which the
 * system places. `areas` are the screens' areas without task bars.
 */
export function placeOf(bounds: Bounds | undefined, areas: readonly Bounds[]): Partial<Bounds> {
  if (bounds === undefined) return USUAL_SIZE;
  const { x, y, width, height } = bounds;
  const seen = areas.some(
    (area) =>
      overlap(x, width, area.x, area.width) >= GRIP &&
      overlap(y, height, area.y, area.height) >= GRIP &&
      y >= area.y,
  );
  if (!seen || width < LEAST_SIZE.width || height < LEAST_SIZE.height) return USUAL_SIZE;
  return bounds;
}

/** Maximizes and zooms the window as it was, and keeps what the user makes of it. */
export function setupPlace(window: BrowserWindow, store: StateStore, clock: Clock): void {
  const { webContents } = window;
  // Not before: it would show the window with nothing drawn.
  window.once('ready-to-show', () => {
    if (store.get().maximized) window.maximize();
  });
  webContents.on('did-finish-load', () => webContents.setZoomLevel(store.get().zoom));

  let cancel: (() => void) | undefined;
  const keepSoon = () => {
    cancel?.();
    cancel = clock.after(REST_MS, () => {
      if (window.isDestroyed() || window.isMinimized()) return;
      const maximized = window.isMaximized();
      store.change(maximized ? { maximized } : { maximized, bounds: window.getBounds() });
    });
  };
  window.on('resize', keepSoon);
  window.on('move', keepSoon);
  window.on('maximize', keepSoon);
  window.on('unmaximize', keepSoon);
}

/** Keeps the zoom level that `change` leads to; the menu calls it instead of Electron's own roles, which tell nobody. */
export function changeZoom(
  window: BrowserWindow,
  store: StateStore,
  change: (level: number) => number,
): void {
  if (window.isDestroyed()) return;
  const zoom = Math.max(-3, Math.min(4, change(window.webContents.getZoomLevel())));
  window.webContents.setZoomLevel(zoom);
  store.change({ zoom });
}
