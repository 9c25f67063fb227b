import { app, dialog, type BrowserWindow } from 'electron';
import { text } from './text.ts';

async function confirmQuit(window: BrowserWindow, count: number): Promise<boolean> {
  const buttons = [text.cancel, text.quit];
  const { response } = await dialog.showMessageBox(window, {
    type: 'question',
    title: text.name,
    message: text.quitQuestion(count),
    detail: text.quitDetail,
    buttons,
    defaultId: 0,
    cancelId: 0,
  });
  return buttons[response] === text.quit;
}

/**
 * The one way to quit, to which every wish to end leads, of the menu, the system or the window's close button: asks when
 * something is unsaved, stops the server, and exits with the code. Wishes that come together share a run.
 */
export function setupQuit(
  window: BrowserWindow,
  steps: {
    readonly unsavedTabs: () => number;
    readonly stopServer: () => Promise<void>;
    readonly code: number;
  },
): void {
  let running: Promise<void> | undefined;
  async function quit(): Promise<void> {
    const count = steps.unsavedTabs();
    if (count > 0 && !(await confirmQuit(window, count))) return;
    window.hide();
    await steps.stopServer();
    // Not app.quit: the page's own unload question would ask a second time.
    app.exit(steps.code);
  }
  const intercept = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    running ??= quit().finally(() => (running = undefined));
  };
  app.on('before-quit', intercept);
  // The one window is the application, on macOS too: without it nothing could show what the server does.
  window.on('close', intercept);
}
