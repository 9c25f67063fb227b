import { app, type BrowserWindow } from 'electron';

/** Returns whether this is the first instance for its user data; ends the process when it is not. */
export function setupSingleInstance(): boolean {
  if (app.requestSingleInstanceLock()) return true;
  app.quit();
  return false;
}

/** Brings the window to the front when the user starts the application again. */
export function setupSecondInstance(window: BrowserWindow): void {
  app.on('second-instance', () => {
    // Hidden it is while the application ends.
    if (!window.isVisible()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  });
}
