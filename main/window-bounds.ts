import type { BrowserWindow } from 'electron';
import type { Clock } from './clock.ts';
import type { Bounds, StateStore } from './shell-state.ts';

export const DEFAULT_SIZE = { width: 1280, height: 800 } as const;
export const MIN_SIZE = { width: 720, height: 480 } as const;

/** Milliseconds without a change until new bounds are stored. */
const REST_MS = 500;
/** Pixels of the window that must be on a screen to be reachable. */
const GRIP = 100;

function overlap(start: number, length: number, otherStart: number, otherLength: number): number {
  return Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);
}

/**
 * Returns the bounds of the window: the stored ones if they are on a screen, otherwise the default size
 * without a position. `areas` are the areas of the screens without task bars.
 */
export function getVisibleBounds(bounds: Bounds | undefined, areas: readonly Bounds[]): Partial<Bounds> {
  if (bounds === undefined) return DEFAULT_SIZE;
  const { x, y, width, height } = bounds;
  const isVisible = areas.some(
    (area) =>
      overlap(x, width, area.x, area.width) >= GRIP &&
      overlap(y, height, area.y, area.height) >= GRIP &&
      y >= area.y,
  );
  if (!isVisible || width < MIN_SIZE.width || height < MIN_SIZE.height) return DEFAULT_SIZE;
  return bounds;
}

/** Restores the maximized state and the zoom of the window, and stores their changes. */
export function setupWindowBounds(window: BrowserWindow, store: StateStore, clock: Clock): void {
  const { webContents } = window;
  // Not before: it would show an empty window.
  window.once('ready-to-show', () => {
    if (store.get().maximized) window.maximize();
  });
  webContents.on('did-finish-load', () => webContents.setZoomLevel(store.get().zoom));

  let cancel: (() => void) | undefined;
  const scheduleSave = () => {
    cancel?.();
    cancel = clock.after(REST_MS, () => {
      if (window.isDestroyed() || window.isMinimized()) return;
      const maximized = window.isMaximized();
      store.change(maximized ? { maximized } : { maximized, bounds: window.getBounds() });
    });
  };
  window.on('resize', scheduleSave);
  window.on('move', scheduleSave);
  window.on('maximize', scheduleSave);
  window.on('unmaximize', scheduleSave);
}

/**
 * Sets and stores a zoom level. The menu uses it instead of Electron's roles, which do not report the level.
 */
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
