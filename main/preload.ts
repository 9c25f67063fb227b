import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { channels, type DesktopBridge } from '../core/app/shell.ts';
import { readVersion } from './version-argument.ts';

const bridge: DesktopBridge = {
  platform: process.platform,
  version: readVersion(process.argv),

  onCommand(listener) {
    // The event stays here: it would hand the page its sender, and with it every channel.
    const receive = (_event: IpcRendererEvent, commandId: unknown) => {
      if (typeof commandId === 'string') listener(commandId);
    };
    ipcRenderer.on(channels.command, receive);
    return () => {
      ipcRenderer.off(channels.command, receive);
    };
  },

  setUnsavedTabs(count) {
    ipcRenderer.send(channels.unsavedTabs, count);
  },
};

contextBridge.exposeInMainWorld('chartkeeper', bridge);
