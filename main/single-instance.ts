import { app, type BrowserWindow } from 'electron';

/** Returns true for the first instance of its user data. Quits the process otherwise. */
export function setupSingleInstance(): boolean {
  if (app.requestSingleInstanceLock()) return true;
  app.quit();
  return false;
}

/** Shows the window when the user starts the application again. */
export function setupSecondInstance(window: BrowserWindow): void {
  app.on('second-instance', () => {
    // The window is hidden only while the application ends.
    if (!window.isVisible()) return;
    if (window.isMinimized()) window.restore();
    window.focus();
  });
}
