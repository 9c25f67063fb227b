/**
 * What the desktop shell, its server process and the page say to each other. Types and guards only; every process
 * narrows what it receives with these guards and treats anything else as a fault.
 */

/** First message from the shell to the server process. `token` is the all-scopes token of this launch. */
export interface ServerStart {
  readonly type: 'start';
  readonly dataDir: string;
  /** 0 picks a free port; a restart asks for the port it had, so that the page's origin stays. */
  readonly port: number;
  readonly token: string;
}

/** The server listens; `origin` is `http://127.0.0.1:<port>` without a trailing slash. */
export interface ServerReady {
  readonly type: 'ready';
  readonly origin: string;
}

/** The server could not start; `message` is one sentence for the user. */
export interface ServerFailed {
  readonly type: 'failed';
  readonly message: string;
}

/** Asks the server process to finish requests, close its databases and exit. */
export interface ServerStop {
  readonly type: 'stop';
}

export type ServerReport = ServerReady | ServerFailed;
export type ServerOrder = ServerStart | ServerStop;

/** What the preload script puts on `window.chartkeeper`: one named method a capability. */
export interface DesktopBridge {
  readonly platform: string;
  readonly version: string;
  /** Calls the listener with the id of each command chosen in the native menu; returns how to stop listening. */
  onCommand(listener: (commandId: string) => void): () => void;
  /** Tells the shell how many tabs hold unsaved edits, so that quitting asks. */
  setUnsavedTabs(count: number): void;
}

/** The IPC channels between page and shell; the registry in main/ refuses any other. */
export const channels = { command: 'chartkeeper:command', unsavedTabs: 'chartkeeper:unsaved-tabs' } as const;

function hasType(message: unknown): message is { type: unknown } & Record<string, unknown> {
  return typeof message === 'object' && message !== null && 'type' in message;
}

export function isServerReport(message: unknown): message is ServerReport {
  if (!hasType(message)) return false;
  if (message.type === 'ready') return typeof message.origin === 'string';
  return message.type === 'failed' && typeof message.message === 'string';
}

export function isServerOrder(message: unknown): message is ServerOrder {
  if (!hasType(message)) return false;
  if (message.type === 'stop') return true;
  return (
    message.type === 'start' &&
    typeof message.dataDir === 'string' &&
    typeof message.port === 'number' &&
    typeof message.token === 'string'
  );
}
