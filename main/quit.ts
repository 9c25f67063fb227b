import { app, dialog, type BrowserWindow } from 'electron';
import { text } from './text.ts';

export interface QuitSteps {
  readonly unsavedTabs: () => number;
  /** Resolves with whether to quit although `count` tabs hold unsaved edits. */
  readonly confirm: (count: number) => Promise<boolean>;
  readonly stopServer: () => Promise<void>;
  readonly exit: () => void;
}

/** Returns the one way to quit: ask when something is unsaved, stop the server, exit. Repeated calls share a run. */
function createQuit(steps: QuitSteps): () => Promise<void> {
  let running: Promise<void> | undefined;
  async function quit(): Promise<void> {
    const count = steps.unsavedTabs();
    if (count > 0 && !(await steps.confirm(count))) return;
    await steps.stopServer();
    steps.exit();
  }
  return function requestQuit() {
    running ??= quit().finally(() => (running = undefined));
    return running;
  };
}

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

/** Sends every wish to end, of the menu, the system or the window's close button, through {@link createQuit}; it
 * ends with the code. */
export function setupQuit(
  window: BrowserWindow,
  {
    unsavedTabs,
    stopServer,
    code,
  }: Pick<QuitSteps, 'unsavedTabs' | 'stopServer'> & { readonly code: number },
): void {
  const requestQuit = createQuit({
    unsavedTabs,
    confirm: (count) => confirmQuit(window, count),
    stopServer: () => {
      window.hide();
      return stopServer();
    },
    // Not app.quit: the page's own unload question would ask a second time.
    exit: () => app.exit(code),
  });
  const intercept = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    void requestQuit();
  };
  app.on('before-quit', intercept);
  // The one window is the application, on macOS too: without it nothing could show what the server does.
  window.on('close', intercept);
}
