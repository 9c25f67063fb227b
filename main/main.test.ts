import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerOrder } from '../core/app/server-messages.ts';
import { channels } from '../core/app/shell.ts';
import { matchesSchema } from '../core/json/shape.ts';
import { launch, launchReady, ORIGIN, flushPromises } from './testing/launch.ts';

const folderOfMain = import.meta.dirname;

function decodePage(url: string): string {
  return decodeURIComponent(url.replace('data:text/html;charset=utf-8,', ''));
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('launching', () => {
  it('hardens the process before Electron is ready, and sends no crash reports', async () => {
    const ready = Promise.withResolvers<undefined>();
    const { fake } = await launch(({ app }) => app.whenReady.mockReturnValue(ready.promise));
    expect(fake.app.enableSandbox).toHaveBeenCalledOnce();
    expect(fake.windows).toHaveLength(0);
    expect(fake.children).toHaveLength(0);

    ready.resolve(undefined);
    await flushPromises();
    expect(fake.windows).toHaveLength(1);
    expect(fake.getLatest(fake.sessions).setSpellCheckerEnabled.mock.calls).toEqual([[false]]);
    expect(fake.crashReporter.start).not.toHaveBeenCalled();
    expect(fake.Menu.setApplicationMenu).toHaveBeenCalledOnce();
  });

  it('quits at once if another instance runs', async () => {
    const { fake } = await launch(({ app }) => app.requestSingleInstanceLock.mockReturnValue(false));
    expect(fake.app.quit).toHaveBeenCalledOnce();
    expect(fake.app.whenReady).not.toHaveBeenCalled();
    expect(fake.windows).toHaveLength(0);
  });

  it('shows its window when it is started again', async () => {
    const { fake, window } = await launchReady();
    window.isMinimized.mockReturnValue(true);
    fake.app.emit('second-instance', {}, ['/app'], '/');
    expect(window.restore).toHaveBeenCalledOnce();
    expect(window.focus).toHaveBeenCalledOnce();
    // The hidden window stays hidden while the application ends.
    window.isVisible.mockReturnValue(false);
    fake.app.emit('second-instance', {}, ['/app'], '/');
    expect(window.focus).toHaveBeenCalledOnce();
  });

  it('reports why it could not start', async () => {
    const { fake } = await launch(({ utilityProcess }) => {
      utilityProcess.fork.mockImplementation(() => {
        throw new Error('no worker');
      });
    });
    expect(fake.dialog.showErrorBox.mock.calls).toEqual([['Chartkeeper did not start', 'no worker']]);
    expect(fake.app.exit).toHaveBeenCalledExactlyOnceWith(1);
  });
});

describe('the server process', () => {
  it('gets its data folder and a token by message, never by argument or environment', async () => {
    const { fake, folder, getLatestChild } = await launchReady();
    expect(fake.utilityProcess.fork.mock.calls).toEqual([
      [
        join(folderOfMain, '..', 'server', 'worker.js'),
        [],
        { serviceName: 'Chartkeeper server', stdio: 'pipe' },
      ],
    ]);
    const order: unknown = getLatestChild().postMessage.mock.calls[0]?.[0];
    if (!matchesSchema(ServerOrder, order) || order.type !== 'start')
      throw new Error('No start was ordered.');
    expect(order).toMatchObject({ dataDir: join(folder, 'data'), port: 0 });
    expect(order.token).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(fake.getLatest(fake.windows).options)).not.toContain(order.token);
    expect(JSON.stringify([process.env, process.argv])).not.toContain(order.token);
    expect(fake.getLatest(fake.sessions).filterRequest(`${ORIGIN}/`)).toEqual({
      requestHeaders: { Authorization: `Bearer ${order.token}` },
    });
  });

  it('opens its page when it is ready, and not before', async () => {
    const { fake } = await launch();
    const window = fake.getLatest(fake.windows);
    expect(window.loadURL).not.toHaveBeenCalled();
    fake.getLatest(fake.children).emit('message', { type: 'ready', origin: ORIGIN });
    expect(window.loadURL.mock.calls).toEqual([[`${ORIGIN}/`]]);
    expect(window.webContents.isBlocked('will-navigate', `${ORIGIN}/x`)).toBe(false);
    expect(window.webContents.isBlocked('will-navigate', 'https://evil.example/')).toBe(true);
  });

  it('shows its message, the data folder and the log if it cannot start', async () => {
    const { fake, folder } = await launch();
    fake.getLatest(fake.children).emit('message', { type: 'failed', message: 'The folder is <in use>.' });
    const [url] = fake.getLatest(fake.getLatest(fake.windows).loadURL.mock.calls);
    expect(decodePage(url)).toContain('<p>The folder is &lt;in use&gt;.</p>');
    expect(decodePage(url)).toContain(`<dd>${join(folder, 'data')}</dd>`);
    expect(decodePage(url)).toContain(`<dd>${join(folder, 'logs', 'chartkeeper.log')}</dd>`);
  });

  it('restarts after a crash on the same port without a reload, unauthorized in between', async () => {
    const { fake, getLatestChild, window } = await launchReady();
    const fakeSession = fake.getLatest(fake.sessions);
    getLatestChild().emit('exit', 139);
    expect(fakeSession.filterRequest(`${ORIGIN}/`)).toEqual({ cancel: true });
    vi.advanceTimersByTime(100);
    expect(fake.children).toHaveLength(2);
    expect(getLatestChild().postMessage.mock.calls[0]?.[0]).toMatchObject({ type: 'start', port: 40123 });
    getLatestChild().emit('message', { type: 'ready', origin: ORIGIN });
    expect(fakeSession.filterRequest(`${ORIGIN}/`).requestHeaders).toHaveProperty('Authorization');
    expect(window.loadURL).toHaveBeenCalledOnce();
  });

  it('ends with the failure page, or a message over the page if edits are unsaved', async () => {
    for (const unsavedCount of [0, 2]) {
      const { fake, getLatestChild, window } = await launchReady();
      const { webContents } = window;
      webContents.emit(
        'ipc-message',
        { senderFrame: webContents.mainFrame },
        channels.unsavedTabs,
        unsavedCount,
      );
      for (let round = 0; round < 6; round += 1) {
        getLatestChild().emit('exit', 1);
        vi.advanceTimersByTime(1_600);
        if (round < 5) getLatestChild().emit('message', { type: 'ready', origin: ORIGIN });
      }
      expect(fake.children).toHaveLength(6);
      expect(window.loadURL).toHaveBeenCalledTimes(unsavedCount === 0 ? 2 : 1);
      expect(fake.dialog.showMessageBox).toHaveBeenCalledTimes(unsavedCount === 0 ? 0 : 1);
    }
  });

  it('prints to the log', async () => {
    const { getLatestChild, log } = await launchReady();
    getLatestChild().stdout.write('GET /fhir-r4/v1/{type} 200\n');
    getLatestChild().stderr.write('warning\n');
    getLatestChild().emit('error', 'FatalError', 'v8.cc:1', 'PATH=secret-environment');
    await vi.waitFor(() => expect(log()).toContain('server: warning'), { timeout: 60_000 });
    expect(log()).toContain('server: GET /fhir-r4/v1/{type} 200');
    expect(log()).toContain('server fault: FatalError at v8.cc:1');
    expect(log()).not.toContain('secret-environment');
  });
});

describe('ending', () => {
  it('asks about the reported tabs, stops the server and exits', async () => {
    const { fake, getLatestChild, window } = await launchReady();
    const { webContents } = window;
    const report = (count: unknown) =>
      webContents.emit('ipc-message', { senderFrame: webContents.mainFrame }, channels.unsavedTabs, count);
    const preventDefault = vi.fn();
    report(2);
    report('none');
    fake.app.emit('before-quit', { preventDefault });
    await flushPromises();
    expect(fake.dialog.showMessageBox).toHaveBeenCalledOnce();
    expect(getLatestChild().postMessage).toHaveBeenCalledOnce();

    report(0);
    fake.app.emit('before-quit', { preventDefault });
    await flushPromises();
    expect(fake.dialog.showMessageBox).toHaveBeenCalledOnce();
    expect(getLatestChild().postMessage).toHaveBeenLastCalledWith({ type: 'stop' });
    expect(fake.app.exit).not.toHaveBeenCalled();
    getLatestChild().emit('exit', 0);
    await flushPromises();
    expect(fake.app.exit).toHaveBeenCalledExactlyOnceWith(0);
    expect(fake.children).toHaveLength(1);
  });
});
