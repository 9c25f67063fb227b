import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import * as v from 'valibot';
import { channels, OpenRequest, type DesktopBridge } from '../core/app/shell.ts';
import { is, type Shape } from '../core/json/shape.ts';
import { readVersion } from './version-argument.ts';

/** Listens on one channel for what `schema` describes; returns how to stop. */
function follow<Schema extends v.GenericSchema>(
  channel: string,
  schema: Schema,
  listener: (value: Shape<Schema>) => void,
): () => void {
  // The event stays here: it would hand the page its sender, and with it every channel.
  const receive = (_event: IpcRendererEvent, value: unknown) => {
    if (is(schema, value)) listener(value);
  };
  ipcRenderer.on(channel, receive);
  return () => {
    ipcRenderer.off(channel, receive);
  };
}

const bridge: DesktopBridge = {
  platform: process.platform,
  version: readVersion(process.argv),

  onCommand: (listener) => follow(channels.command, v.string(), listener),
  onOpen: (listener) => follow(channels.open, OpenRequest, listener),
  onLock: (listener) => follow(channels.lock, v.boolean(), listener),

  ready() {
    const { sandboxed, contextIsolated: isolated } = process;
    ipcRenderer.send(channels.ready, { sandboxed: sandboxed, isolated: isolated });
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
