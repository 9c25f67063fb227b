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
 * Sets up the only way to quit. Requests come from the menu, the system or the close button of the window.
 * Asks if something is unsaved, stops the server, and exits with the code. Simultaneous requests share a run.
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
    // Not app.quit(): the page's beforeunload prompt would appear twice.
    app.exit(steps.code);
  }
  const intercept = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    running ??= quit().finally(() => (running = undefined));
  };
  app.on('before-quit', intercept);
  // The only window is the application, also on macOS: without it the server is invisible.
  window.on('close', intercept);
}
