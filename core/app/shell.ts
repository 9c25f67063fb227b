/**
 * What the desktop shell and its page say to each other. Types and guards only; each narrows what it receives with
 * these guards and treats anything else as a fault. What shell and server process say stands in server-messages.ts.
 */
import * as v from 'valibot';
import type { Shape } from '../json/shape.ts';
import { RecordLink } from './record-link.ts';

/** A file that the user opened with the shell; the page's import reads it. */
const OpenedFile = v.object({
  name: v.string(),
  bytes: v.custom<Uint8Array<ArrayBuffer>>((value) => value instanceof Uint8Array),
});
export type OpenedFile = Shape<typeof OpenedFile>;

/** What the user asked the shell for, and the page is to show: a record, a connection, or files to import. */
export const OpenRequest = v.variant('kind', [
  v.object({ kind: v.literal('record'), link: RecordLink }),
  v.object({ kind: v.literal('connection'), name: v.string() }),
  v.object({ kind: v.literal('files'), files: v.array(OpenedFile) }),
]);
export type OpenRequest = Shape<typeof OpenRequest>;

/** How the page's process runs, as it knows of itself. */
export const PageProcess = v.object({ sandboxed: v.boolean(), isolated: v.boolean() });
export type PageProcess = Shape<typeof PageProcess>;

/** What the preload script puts on `window.chartkeeper`: one named method a capability. */
export interface DesktopBridge {
  readonly platform: string;
  readonly version: string;
  /** Calls the listener with the id of each command chosen in the native menu; returns how to stop listening. */
  onCommand(listener: (commandId: string) => void): () => void;
  /** Calls the listener with what is to be opened; returns how to stop listening. */
  onOpen(listener: (request: OpenRequest) => void): () => void;
  /** Calls the listener when the shell locks and unlocks the window; returns how to stop listening. */
  onLock(listener: (locked: boolean) => void): () => void;
  /** Tells the shell that the listeners stand: what waited is sent now. */
  ready(): void;
  /** Asks for the end of the lock. */
  unlock(): void;
  /** Tells the shell how many tabs hold unsaved edits, so that quitting asks. */
  setUnsavedTabs(count: number): void;
  /** Tells the shell which connection is in use, for the menu's list of recent ones. */
  setConnection(name: string): void;
}

/** The IPC channels between page and shell; the registry in main/ refuses any other. */
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
