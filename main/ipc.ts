import type { BrowserWindow } from 'electron';
import * as v from 'valibot';
import { ConnectionName } from '../core/app/record-link.ts';
import { channels, PageProcess } from '../core/app/shell.ts';
import type { Log } from './log.ts';

/** Handles the arguments of one message; returns false when they are not what the channel takes. */
export type IpcHandler = (args: readonly unknown[]) => boolean;
export type IpcRegistry = ReadonlyMap<string, IpcHandler>;

export interface IpcMessage {
  readonly channel: string;
  readonly args: readonly unknown[];
  readonly fromMainFrame: boolean;
  readonly frameOrigin: string | undefined;
}

/** What the page can cause, each by one channel. */
export interface IpcActions {
  readonly onReady: (page: PageProcess) => void;
  readonly onUnlock: () => void;
  readonly onUnsavedTabs: (count: number) => void;
  readonly onConnection: (name: string) => void;
}

export interface IpcOptions extends IpcActions {
  readonly origin: () => string | undefined;
  readonly log: Log;
}

/** Makes a handler: `take` sees the arguments only when they are what `schema` describes and nothing follows them. */
function on<Args extends readonly unknown[]>(
  schema: v.GenericSchema<unknown, Args>,
  take: (...args: Args) => void,
): IpcHandler {
  return (args) => {
    const read = v.safeParse(schema, args);
    if (read.success) take(...read.output);
    return read.success;
  };
}

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Decides on one message from the page and, when nothing speaks against it, handles it. */
export function receive(registry: IpcRegistry, message: IpcMessage, ownOrigin: string | undefined) {
  if (!message.fromMainFrame) return 'foreign frame';
  if (ownOrigin === undefined || message.frameOrigin !== ownOrigin) return 'foreign origin';
  const handler = registry.get(message.channel);
  if (handler === undefined) return 'unknown channel';
  return handler(message.args) ? 'handled' : 'bad argument';
}

/** The one registry: each channel that a page may send on. The others go the other way only. */
export function createRegistry(actions: IpcActions): IpcRegistry {
  return new Map([
    [channels.ready, on(v.strictTuple([PageProcess]), actions.onReady)],
    [channels.unlock, on(v.strictTuple([]), actions.onUnlock)],
    [channels.unsavedTabs, on(v.strictTuple([Count]), actions.onUnsavedTabs)],
    [channels.connection, on(v.strictTuple([ConnectionName]), actions.onConnection)],
  ]);
}

/** Answers the window's messages. It listens to all of them, so that an unknown channel is seen and logged. */
export function setupIpc(window: BrowserWindow, options: IpcOptions): void {
  const registry = createRegistry(options);
  const { webContents } = window;
  webContents.on('ipc-message', (event, channel, ...args: unknown[]) => {
    const frame = event.senderFrame;
    const fromMainFrame = frame !== null && frame === webContents.mainFrame;
    const message = { channel, args, fromMainFrame, frameOrigin: frame?.origin };
    const verdict = receive(registry, message, options.origin());
    if (verdict !== 'handled') options.log(`ipc refused: ${verdict}`);
  });
}
