import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { channels, type DesktopBridge, type OpenRequest } from '../core/app/shell.ts';
import { readVersion } from './version-argument.ts';

/** Listens on one channel for what `guard` accepts; returns how to stop. */
function follow<T>(
  channel: string,
  guard: (value: unknown) => value is T,
  listener: (value: T) => void,
): () => void {
  // The event stays here: it would hand the page its sender, and with it every channel.
  const receive = (_event: IpcRendererEvent, value: unknown) => {
    if (guard(value)) listener(value);
  };
  ipcRenderer.on(channel, receive);
  return () => {
    ipcRenderer.off(channel, receive);
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
/** The shell is trusted; the guard holds what is not an opening at all. */
const isOpenRequest = (value: unknown): value is OpenRequest =>
  typeof value === 'object' && value !== null && 'kind' in value;

const bridge: DesktopBridge = {
  platform: process.platform,
  version: readVersion(process.argv),

  onCommand: (listener) => follow(channels.command, isText, listener),
  onOpen: (listener) => follow(channels.open, isOpenRequest, listener),
  onLock: (listener) => follow(channels.lock, isFlag, listener),

  ready() {
    ipcRenderer.send(channels.ready);
  },
  unlock() {
    ipcRenderer.send(channels.unlock);
  },
  setUnsavedTabs(count) {
    ipcRenderer.send(channels.unsavedTabs, count);
  },
  setConnection(name) {
    ipcRenderer.send(channels.connection, name);
  },
};

contextBridge.exposeInMainWorld('chartkeeper', bridge);
