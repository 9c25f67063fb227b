/**
 * Messages between the desktop shell and its page: types and guards. Both parse received messages with these
 * guards and treat anything else as an error. server-messages.ts has those between shell and server process.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { RecordLink } from './record-link.ts';

/** File that the user opened with the shell. The page imports it. */
const OpenedFile = v.object({
  name: v.string(),
  bytes: v.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
});
export type OpenedFile = Shape<typeof OpenedFile>;

/** Request of the user for the page: open a record, a connection, or files to import. */
export const OpenRequest = v.variant('kind', [
  v.object({ kind: v.literal('record'), link: RecordLink }),
  v.object({ kind: v.literal('connection'), name: v.string() }),
  v.object({ kind: v.literal('files'), files: v.array(OpenedFile) }),
]);
export type OpenRequest = Shape<typeof OpenRequest>;

/** Sandbox state of the page's process, as it reports it. */
export const PageProcess = v.object({ sandboxed: v.boolean(), isolated: v.boolean() });
export type PageProcess = Shape<typeof PageProcess>;

/** API of the preload script on `window.chartkeeper`: one method for each capability. */
export interface DesktopBridge {
  readonly platform: string;
  readonly version: string;
  /**
   * Calls the listener with the id of each command chosen in the native menu. Returns a function that
   * unsubscribes.
   */
  onCommand(listener: (commandId: string) => void): () => void;
  /** Calls the listener with each open request. Returns a function that unsubscribes. */
  onOpen(listener: (request: OpenRequest) => void): () => void;
  /** Calls the listener when the shell locks or unlocks the window. Returns a function that unsubscribes. */
  onLock(listener: (locked: boolean) => void): () => void;
  /** Reports that the listeners are registered. The shell then sends pending messages. */
  ready(): void;
  /** Requests the end of the lock. */
  unlock(): void;
  /** Reports the count of tabs with unsaved edits, so that quitting prompts. */
  setUnsavedTabs(count: number): void;
  /** Reports the connection in use, for the menu's list of recent ones. */
  setConnection(name: string): void;
}

/** IPC channels between page and shell. The registry in main/ rejects any other. */
export const channels = {
  // From the shell to the page.
  command: 'chartkeeper:command',
  open: 'chartkeeper:open',
  lock: 'chartkeeper:lock',
  // From the page to the shell.
  ready: 'chartkeeper:ready',
  unlock: 'chartkeeper:unlock',
  unsavedTabs: 'chartkeeper:unsaved-tabs',
  connection: 'chartkeeper:connection',
} as const;
