import { expect, it, vi } from 'vitest';
import { channels, type DesktopBridge } from '../core/app/shell.ts';
import * as fake from './testing/fake-electron.ts';
import { versionArgument } from './version-argument.ts';

vi.mock('electron', () => import('./testing/fake-electron.ts'));

function isBridge(value: unknown): value is DesktopBridge {
  return typeof value === 'object' && value !== null && 'onCommand' in value;
}

async function loadBridge(): Promise<{ names: string[]; bridge: DesktopBridge }> {
  process.argv.push(versionArgument('1.2.3'));
  await import('./preload.ts');
  const { calls } = fake.contextBridge.exposeInMainWorld.mock;
  const [, exposed] = fake.getLatest(calls);
  if (!isBridge(exposed)) throw new Error('No bridge was exposed.');
  return { names: calls.map(([name]) => name), bridge: exposed };
}

const { names, bridge } = await loadBridge();

it('exposes one object with exactly the bridge', () => {
  expect(names).toEqual(['chartkeeper']);
  expect(Object.keys(bridge).toSorted()).toEqual([
    'onCommand',
    'onLock',
    'onOpen',
    'platform',
    'ready',
    'setConnection',
    'setUnsavedTabs',
    'unlock',
    'version',
  ]);
  expect(bridge.platform).toBe(process.platform);
  expect(bridge.version).toBe('1.2.3');
});

it('forwards command ids without the event until it is stopped', () => {
  const listener = vi.fn();
  const stop = bridge.onCommand(listener);
  fake.ipcRenderer.emit(channels.command, { sender: 'secret' }, 'tab.close');
  fake.ipcRenderer.emit(channels.command, { sender: 'secret' }, { id: 'tab.close' });
  expect(listener.mock.calls).toEqual([['tab.close']]);

  stop();
  fake.ipcRenderer.emit(channels.command, {}, 'tab.close');
  expect(listener).toHaveBeenCalledOnce();
  expect(fake.ipcRenderer.listenerCount(channels.command)).toBe(0);
});

it('forwards open requests and the lock, and ignores other values', () => {
  const [onOpen, onLock] = [vi.fn(), vi.fn()];
  bridge.onOpen(onOpen);
  bridge.onLock(onLock);
  const request = { kind: 'connection', name: 'Ward' };
  for (const value of [request, 'x', null, {}]) fake.ipcRenderer.emit(channels.open, {}, value);
  for (const value of [true, 'true', 1, false]) fake.ipcRenderer.emit(channels.lock, {}, value);
  expect(onOpen.mock.calls).toEqual([[request]]);
  expect(onLock.mock.calls).toEqual([[true], [false]]);
});

it('sends each of its messages on its own channel, and the state of its process', () => {
  Object.assign(process, { sandboxed: true, contextIsolated: true });
  bridge.setUnsavedTabs(3);
  bridge.setConnection('Ward');
  bridge.ready();
  bridge.unlock();
  expect(fake.ipcRenderer.send.mock.calls).toEqual([
    [channels.unsavedTabs, 3],
    [channels.connection, 'Ward'],
    [channels.ready, { sandboxed: true, isolated: true }],
    [channels.unlock],
  ]);
});
