import { BrowserWindow } from 'electron';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { setupQuit } from './quit.ts';
import * as fake from './testing/fake-electron.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

const CANCEL = { response: 0 };
const QUIT = { response: 1 };

beforeEach(() => {
  fake.app.removeAllListeners();
  fake.app.exit.mockClear();
  fake.dialog.showMessageBox.mockReset();
});

function prepare(unsavedCount: number) {
  const stop = Promise.withResolvers<undefined>();
  const stopServer = vi.fn(() => stop.promise);
  setupQuit(new BrowserWindow(), { unsavedTabs: () => unsavedCount, stopServer, code: 0 });
  const window = fake.getLatest(fake.windows);
  const preventDefault = vi.fn();
  return {
    window,
    stopServer,
    preventDefault,
    quit: () => fake.app.emit('before-quit', { preventDefault }),
    closeWindow: () => window.emit('close', { preventDefault }),
    serverStopped: async () => {
      stop.resolve(undefined);
      await settle();
    },
  };
}

/** Runs all callbacks of resolved promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

describe.each(['quit', 'closeWindow'] as const)('%s', (request) => {
  it('stops the server and exits without asking if nothing is unsaved', async () => {
    const shell = prepare(0);
    shell[request]();
    await settle();
    expect(shell.preventDefault).toHaveBeenCalledOnce();
    expect(fake.dialog.showMessageBox).not.toHaveBeenCalled();
    expect(shell.window.hide).toHaveBeenCalledOnce();
    expect(shell.stopServer).toHaveBeenCalledOnce();
    expect(fake.app.exit).not.toHaveBeenCalled();

    await shell.serverStopped();
    expect(fake.app.exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  it('asks about unsaved tabs, and quits after confirmation', async () => {
    const shell = prepare(2);
    fake.dialog.showMessageBox.mockResolvedValueOnce(QUIT);
    shell[request]();
    expect(shell.stopServer).not.toHaveBeenCalled();
    await settle();
    expect(fake.dialog.showMessageBox).toHaveBeenCalledOnce();
    expect(fake.dialog.showMessageBox.mock.calls[0]?.[1]).toMatchObject({
      message: '2 tabs have unsaved changes.',
      buttons: ['Cancel', 'Quit'],
      defaultId: 0,
      cancelId: 0,
    });
    await shell.serverStopped();
    expect(fake.app.exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  it('keeps running if the prompt is canceled, and asks again the next time', async () => {
    const shell = prepare(1);
    fake.dialog.showMessageBox.mockResolvedValue(CANCEL);
    shell[request]();
    await settle();
    expect(shell.stopServer).not.toHaveBeenCalled();
    expect(shell.window.hide).not.toHaveBeenCalled();
    expect(fake.app.exit).not.toHaveBeenCalled();

    shell[request]();
    await settle();
    expect(fake.dialog.showMessageBox).toHaveBeenCalledTimes(2);
    expect(fake.dialog.showMessageBox.mock.calls[1]?.[1].message).toBe('1 tab has unsaved changes.');
  });
});

it('asks once and stops once for two simultaneous requests', async () => {
  const shell = prepare(3);
  fake.dialog.showMessageBox.mockResolvedValue(QUIT);
  shell.quit();
  shell.closeWindow();
  await settle();
  shell.quit();
  await shell.serverStopped();
  expect(shell.preventDefault).toHaveBeenCalledTimes(3);
  expect(fake.dialog.showMessageBox).toHaveBeenCalledOnce();
  expect(shell.stopServer).toHaveBeenCalledOnce();
  expect(fake.app.exit).toHaveBeenCalledOnce();
});
