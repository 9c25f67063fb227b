import type { BrowserWindow } from 'electron';
import * as v from 'valibot';
import { ConnectionName } from '../core/app/record-link.ts';
import { channels, PageProcess } from '../core/app/shell.ts';
import type { Log } from './log.ts';

/** Handles the arguments of a message. Returns false if they do not match the channel. */
export type IpcHandler = (args: readonly unknown[]) => boolean;
export type IpcRegistry = ReadonlyMap<string, IpcHandler>;

export interface IpcMessage {
  readonly channel: string;
  readonly args: readonly unknown[];
  readonly fromMainFrame: boolean;
  readonly frameOrigin: string | undefined;
}

/** Actions that the page can cause, one per channel. */
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

/** Creates a handler that calls `take` only with arguments that match `schema` exactly. */
function createHandler<Args extends readonly unknown[]>(
  schema: v.GenericSchema<unknown, Args>,
  action: (...args: Args) => void,
): IpcHandler {
  return (args) => {
    const result = v.safeParse(schema, args);
    if (result.success) action(...result.output);
    return result.success;
  };
}

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** Checks a message from the page and handles it if it is allowed. Returns the decision. */
export function receive(registry: IpcRegistry, message: IpcMessage, ownOrigin: string | undefined) {
  if (!message.fromMainFrame) return 'foreign frame';
  if (ownOrigin === undefined || message.frameOrigin !== ownOrigin) return 'foreign origin';
  const handler = registry.get(message.channel);
  if (handler === undefined) return 'unknown channel';
  return handler(message.args) ? 'handled' : 'bad argument';
}

/** Creates the only registry: each channel that a page may use. The other channels lead to the page. */
export function createRegistry(actions: IpcActions): IpcRegistry {
  return new Map([
    [channels.ready, createHandler(v.strictTuple([PageProcess]), actions.onReady)],
    [channels.unlock, createHandler(v.strictTuple([]), actions.onUnlock)],
    [channels.unsavedTabs, createHandler(v.strictTuple([Count]), actions.onUnsavedTabs)],
    [channels.connection, createHandler(v.strictTuple([ConnectionName]), actions.onConnection)],
  ]);
}

/** Handles the messages of the window. It listens to all messages, so that unknown channels are logged. */
export function setupIpc(window: BrowserWindow, options: IpcOptions): void {
  const registry = createRegistry(options);
  const { webContents } = window;
  webContents.on('ipc-message', (event, channel, ...args: unknown[]) => {
    const frame = event.senderFrame;
    const fromMainFrame = frame !== null && frame === webContents.mainFrame;
    const message = { channel, args, fromMainFrame, frameOrigin: frame?.origin };
    const decision = receive(registry, message, options.origin());
    if (decision !== 'handled') options.log(`ipc refused: ${decision}`);
  });
}
