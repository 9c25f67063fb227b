import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import * as v from 'valibot';
import { channels, OpenRequest, type DesktopBridge } from '../core/app/shell.ts';
import { matchesSchema, type Shape } from '../core/json/shape.ts';
import { readVersion } from './version-argument.ts';

/** Listens on a channel for values that match `schema`. Returns a function that stops. */
function subscribe<Schema extends v.GenericSchema>(
  channel: string,
  schema: Schema,
  listener: (value: Shape<Schema>) => void,
): () => void {
  // The event stays here: it would give the page its sender, and thereby every channel.
  const receive = (_event: IpcRendererEvent, value: unknown) => {
    if (matchesSchema(schema, value)) listener(value);
  };
  ipcRenderer.on(channel, receive);
  return () => {
    ipcRenderer.off(channel, receive);
  };
}

const bridge: DesktopBridge = {
  platform: process.platform,
  version: readVersion(process.argv),

  onCommand: (listener) => subscribe(channels.command, v.string(), listener),
  onOpen: (listener) => subscribe(channels.open, OpenRequest, listener),
  onLock: (listener) => subscribe(channels.lock, v.boolean(), listener),

  ready() {
    const { sandboxed, contextIsolated: isolated } = process;
    ipcRenderer.send(channels.ready, { sandboxed, isolated });
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
