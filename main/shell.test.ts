import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { channels } from '../core/app/shell.ts';
import { launchReady, flushPromises } from './testing/launch.ts';

type Launched = Awaited<ReturnType<typeof launchReady>>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function listItems(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? listItems(item.submenu) : [])]);
}

/** Selects an item of the current menu, by its id or label. */
async function select({ fake }: Launched, name: string): Promise<void> {
  const [menu] = fake.getLatest(fake.Menu.setApplicationMenu.mock.calls);
  const item = listItems(menu).find(({ id, label }) => id === name || label === name);
  if (!item?.click) throw new Error(`${name} is not in the menu.`);
  (item.click as () => void)();
  await flushPromises();
}

function sendFromPage({ window: { webContents } }: Launched, channel: string, ...args: unknown[]): void {
  webContents.emit('ipc-message', { senderFrame: webContents.mainFrame }, channel, ...args);
}

/** Returns the values that were sent to the page on a channel. */
function listSent({ window }: Launched, channel: string): unknown[] {
  return window.webContents.send.mock.calls.flatMap(([usedChannel, value]) =>
    usedChannel === channel ? [value] : [],
  );
}

function readState({ folder }: Launched): unknown {
  return JSON.parse(readFileSync(join(folder, 'shell.json'), 'utf8'));
}

describe('the lock', () => {
  it('blanks the page, drops remote tokens and holds commands and open requests until unlocked', async () => {
    const app = await launchReady();
    sendFromPage(app, channels.ready, { sandboxed: true, isolated: true });
    await select(app, 'lock');
    expect(app.getLatestChild().postMessage).toHaveBeenLastCalledWith({ type: 'sign-out' });
    expect(listSent(app, channels.lock)).toEqual([false, true]);
    await select(app, 'tab.close');
    app.fake.app.emit('second-instance', {}, ['/app', 'chartkeeper://open/Local/abc'], '/');
    await flushPromises();
    expect(listSent(app, channels.command)).toEqual([]);
    expect(listSent(app, channels.open)).toEqual([]);
    // A page that reloads in the meantime is blank too.
    sendFromPage(app, channels.ready, { sandboxed: true, isolated: true });
    expect(listSent(app, channels.lock)).toEqual([false, true, true]);

    sendFromPage(app, channels.unlock);
    expect(listSent(app, channels.lock)).toEqual([false, true, true, false]);
    expect(listSent(app, channels.open)).toEqual([
      { kind: 'record', link: { connection: 'Local', id: 'abc' } },
    ]);
    await select(app, 'tab.close');
    expect(listSent(app, channels.command)).toEqual(['tab.close']);
    expect(app.log()).toMatch(/ locked\n.* unlocked\n/);
  });

  it('locks after the minutes of the menu, at the next start too', async () => {
    const app = await launchReady();
    app.fake.powerMonitor.getSystemIdleTime.mockReturnValue(301);
    vi.advanceTimersByTime(10_000);
    expect(listSent(app, channels.lock)).toEqual([]);
    await select(app, 'After 5 minutes');
    vi.advanceTimersByTime(10_000);
    expect(listSent(app, channels.lock)).toEqual([true]);
    expect(readState(app)).toMatchObject({ lockMinutes: 5 });
  });
});

it('passes opened files and links to the page once it listens', async () => {
  const app = await launchReady();
  const file = join(app.folder, 'a.ndjson');
  writeFileSync(file, '{}\n');
  app.fake.dialog.showOpenDialog.mockResolvedValue({ canceled: false, filePaths: [file] });
  await select(app, 'openFiles');
  const listOpened = () => {
    sendFromPage(app, channels.ready, { sandboxed: true, isolated: true });
    return listSent(app, channels.open);
  };
  await vi.waitFor(() => expect(listOpened()).toHaveLength(1), { timeout: 60_000 });
  expect(listSent(app, channels.open)).toEqual([
    { kind: 'files', files: [{ name: 'a.ndjson', bytes: new Uint8Array([123, 125, 10]) }] },
  ]);
});

it('sends nothing to a crashed page until the next one listens', async () => {
  const app = await launchReady();
  sendFromPage(app, channels.ready, { sandboxed: true, isolated: true });
  app.window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  app.fake.app.emit('second-instance', {}, ['/app', 'chartkeeper://open/Local/abc'], '/');
  await flushPromises();
  expect(listSent(app, channels.open)).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(app.window.webContents.reload).toHaveBeenCalledOnce();
  sendFromPage(app, channels.ready, { sandboxed: true, isolated: true });
  expect(listSent(app, channels.open)).toHaveLength(1);
});

it('lists the connections that the page used, latest first, and opens the selected one', async () => {
  const app = await launchReady();
  sendFromPage(app, channels.ready, { sandboxed: true, isolated: true });
  for (const name of ['Local', 'Ward', 'Local']) sendFromPage(app, channels.connection, name);
  expect(readState(app)).toMatchObject({ connections: ['Local', 'Ward'] });
  await select(app, 'Ward');
  expect(listSent(app, channels.open)).toEqual([{ kind: 'connection', name: 'Ward' }]);
});

it('stores the zoom of the menu', async () => {
  const app = await launchReady();
  await select(app, 'zoomIn');
  await select(app, 'zoomIn');
  expect(app.window.webContents.zoomLevel).toBe(2);
  expect(readState(app)).toMatchObject({ zoom: 2 });
  await select(app, 'actualSize');
  expect(readState(app)).toMatchObject({ zoom: 0 });
});

it('passes the secret storage to the server, and stores secrets for it', async () => {
  const app = await launchReady();
  expect(app.getLatestChild().postMessage.mock.calls[0]?.[0]).toMatchObject({
    type: 'start',
    secrets: 'system',
  });
  app.getLatestChild().emit('message', { type: 'secret', ask: 1, act: 'set', id: 'a', secret: 'canary' });
  await flushPromises();
  expect(app.getLatestChild().postMessage).toHaveBeenLastCalledWith({ type: 'secret', ask: 1, done: true });
  expect(readFileSync(join(app.folder, 'secrets.json'), 'utf8')).not.toContain('canary');
  expect(JSON.stringify(app.window.webContents.send.mock.calls)).not.toContain('canary');

  const appWithoutKeychain = await launchReady(({ safeStorage }) => {
    safeStorage.isAsyncEncryptionAvailable.mockResolvedValue(false);
  });
  expect(appWithoutKeychain.getLatestChild().postMessage.mock.calls[0]?.[0]).toMatchObject({
    secrets: 'session',
  });
});

it('exports diagnostics from the menu', async () => {
  const app = await launchReady();
  const filePath = join(app.folder, 'out.json');
  app.fake.dialog.showSaveDialog.mockResolvedValue({ canceled: false, filePath });
  await select(app, 'diagnostics');
  expect(JSON.parse(readFileSync(filePath, 'utf8'))).toMatchObject({
    settings: { secrets: 'system' },
    log: [expect.stringContaining('server ready on port 40123')],
  });
});
