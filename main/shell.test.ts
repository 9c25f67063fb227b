import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MenuItemConstructorOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { channels } from '../core/app/shell.ts';
import { launchReady, settle } from './testing/launch.ts';

type Launched = Awaited<ReturnType<typeof launchReady>>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function itemsOf(items: MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? itemsOf(item.submenu) : [])]);
}

/** Chooses an item of the menu as it is now, by its id or label. */
async function choose({ fake }: Launched, name: string): Promise<void> {
  const [menu] = fake.newest(fake.Menu.setApplicationMenu.mock.calls);
  const item = itemsOf(menu).find(({ id, label }) => id === name || label === name);
  if (!item?.click) throw new Error(`${name} is not in the menu.`);
  (item.click as () => void)();
  await settle();
}

function say({ window: { webContents } }: Launched, channel: string, ...args: unknown[]): void {
  webContents.emit('ipc-message', { senderFrame: webContents.mainFrame }, channel, ...args);
}

/** What the page was sent on a channel. */
function sentOn({ window }: Launched, channel: string): unknown[] {
  return window.webContents.send.mock.calls.flatMap(([on, value]) => (on === channel ? [value] : []));
}

function stateOf({ folder }: Launched): unknown {
  return JSON.parse(readFileSync(join(folder, 'shell.json'), 'utf8'));
}

describe('the lock', () => {
  it('blanks the page, drops remote tokens and holds commands and openings until it is unlocked', async () => {
    const app = await launchReady();
    say(app, channels.ready, { sandboxed: true, isolated: true });
    await choose(app, 'lock');
    expect(app.child().postMessage).toHaveBeenLastCalledWith({ type: 'sign-out' });
    expect(sentOn(app, channels.lock)).toEqual([false, true]);
    await choose(app, 'tab.close');
    app.fake.app.emit('second-instance', {}, ['/app', 'chartkeeper://open/Local/abc'], '/');
    await settle();
    expect(sentOn(app, channels.command)).toEqual([]);
    expect(sentOn(app, channels.open)).toEqual([]);
    // A page that is loaded anew meanwhile is blank too.
    say(app, channels.ready, { sandboxed: true, isolated: true });
    expect(sentOn(app, channels.lock)).toEqual([false, true, true]);

    say(app, channels.unlock);
    expect(sentOn(app, channels.lock)).toEqual([false, true, true, false]);
    expect(sentOn(app, channels.open)).toEqual([
      { kind: 'record', link: { connection: 'Local', id: 'abc' } },
    ]);
    await choose(app, 'tab.close');
    expect(sentOn(app, channels.command)).toEqual(['tab.close']);
    expect(app.log()).toMatch(/ locked\n.* unlocked\n/);
  });

  it('comes after the minutes that are chosen in the menu, at the next start too', async () => {
    const app = await launchReady();
    app.fake.powerMonitor.getSystemIdleTime.mockReturnValue(301);
    vi.advanceTimersByTime(10_000);
    expect(sentOn(app, channels.lock)).toEqual([]);
    await choose(app, 'After 5 minutes');
    vi.advanceTimersByTime(10_000);
    expect(sentOn(app, channels.lock)).toEqual([true]);
    expect(stateOf(app)).toMatchObject({ lockMinutes: 5 });
  });
});

it('hands opened files and links to the page once it listens', async () => {
  const app = await launchReady();
  const file = join(app.folder, 'a.ndjson');
  writeFileSync(file, '{}\n');
  app.fake.dialog.showOpenDialog.mockResolvedValue({ canceled: false, filePaths: [file] });
  await choose(app, 'openFiles');
  const opened = () => {
    say(app, channels.ready, { sandboxed: true, isolated: true });
    return sentOn(app, channels.open);
  };
  await vi.waitFor(() => expect(opened()).toHaveLength(1), { timeout: 60_000 });
  expect(sentOn(app, channels.open)).toEqual([
    { kind: 'files', files: [{ name: 'a.ndjson', bytes: new Uint8Array([123, 125, 10]) }] },
  ]);
});

it('sends nothing to a page whose process ended until the next one listens', async () => {
  const app = await launchReady();
  say(app, channels.ready, { sandboxed: true, isolated: true });
  app.window.webContents.emit('render-process-gone', {}, { reason: 'crashed' });
  app.fake.app.emit('second-instance', {}, ['/app', 'chartkeeper://open/Local/abc'], '/');
  await settle();
  expect(sentOn(app, channels.open)).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(app.window.webContents.reload).toHaveBeenCalledOnce();
  say(app, channels.ready, { sandboxed: true, isolated: true });
  expect(sentOn(app, channels.open)).toHaveLength(1);
});

it('lists the connections that the page used, newest first, and opens the chosen one', async () => {
  const app = await launchReady();
  say(app, channels.ready, { sandboxed: true, isolated: true });
  for (const name of ['Local', 'Ward', 'Local']) say(app, channels.connection, name);
  expect(stateOf(app)).toMatchObject({ connections: ['Local', 'Ward'] });
  await choose(app, 'Ward');
  expect(sentOn(app, channels.open)).toEqual([{ kind: 'connection', name: 'Ward' }]);
});

it('remembers the zoom of the menu', async () => {
  const app = await launchReady();
  await choose(app, 'zoomIn');
  await choose(app, 'zoomIn');
  expect(app.window.webContents.zoomLevel).toBe(2);
  expect(stateOf(app)).toMatchObject({ zoom: 2 });
  await choose(app, 'actualSize');
  expect(stateOf(app)).toMatchObject({ zoom: 0 });
});

it('tells the server how long secrets are kept, and keeps them for it', async () => {
  const app = await launchReady();
  expect(app.child().postMessage.mock.calls[0]?.[0]).toMatchObject({ type: 'start', secrets: 'system' });
  app.child().emit('message', { type: 'secret', ask: 1, act: 'set', id: 'a', secret: 'canary' });
  await settle();
  expect(app.child().postMessage).toHaveBeenLastCalledWith({ type: 'secret', ask: 1, done: true });
  expect(readFileSync(join(app.folder, 'secrets.json'), 'utf8')).not.toContain('canary');
  expect(JSON.stringify(app.window.webContents.send.mock.calls)).not.toContain('canary');

  const without = await launchReady(({ safeStorage }) => {
    safeStorage.isAsyncEncryptionAvailable.mockResolvedValue(false);
  });
  expect(without.child().postMessage.mock.calls[0]?.[0]).toMatchObject({ secrets: 'session' });
});

it('exports diagnostics from the menu', async () => {
  const app = await launchReady();
  const filePath = join(app.folder, 'out.json');
  app.fake.dialog.showSaveDialog.mockResolvedValue({ canceled: false, filePath });
  await choose(app, 'diagnostics');
  expect(JSON.parse(readFileSync(filePath, 'utf8'))).toMatchObject({
    settings: { secrets: 'system' },
    log: [expect.stringContaining('server ready on port 40123')],
  });
});
