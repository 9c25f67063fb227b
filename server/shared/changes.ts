import { ChangeEvent } from '../../core/app/changes.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { ChangeListener, Changes } from '../fhir/changes.ts';

/** Channel between the servers of one store. */
export interface ChangeTransport {
  /** Bytes of a message, at most. */
  readonly maxBytes: number;
  say(text: string): Promise<void>;
  /**
   * Calls back with each message of any server, including this one. Sends an empty text after the
   * connection was established or restored.
   */
  on(listener: (text: string) => void): void;
}

/**
 * Shares changes between all servers of a store. Each server announces stored versions afterwards and in
 * groups, so that no write waits. A lost message only costs a marker on a page. Streams end if the servers
 * could not communicate for a time.
 */
export function sharedChanges(localChanges: Changes, wire: ChangeTransport, name: string): Changes {
  const listeners = new Set<ChangeListener>();
  const tell: ChangeListener = (event) => {
    for (const listener of listeners) listener(event);
  };
  localChanges.listen((event) => {
    tell(event);
    for (const text of event ? messagesOf(event, name, wire.maxBytes) : [])
      void wire.say(text).catch(() => undefined);
  });
  wire.on((text) => {
    if (text === '') {
      // Messages may be lost: clients reconnect and reload the visible records.
      tell(undefined);
      listeners.clear();
      return;
    }
    const [from, body] = [text.slice(0, name.length), text.slice(name.length)];
    const event = from === name ? undefined : parseAs(ChangeEvent, body);
    if (event) tell(event);
  });
  return {
    ...localChanges,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      localChanges.close();
      listeners.clear();
    },
  };
}

/** Splits an event into messages. If an event has too many records for a message, sends only their number. */
function messagesOf(event: ChangeEvent, name: string, maxCharacters: number): string[] {
  const text = name + JSON.stringify(event);
  if (Buffer.byteLength(text) <= maxCharacters) return [text];
  const { changes, more: unnamedCount, ...eventParts } = event;
  if (changes.length < 2)
    return [name + JSON.stringify({ changes: [], more: unnamedCount + changes.length, ...eventParts })];
  const middleIndex = Math.ceil(changes.length / 2);
  return [
    ...messagesOf(
      { changes: changes.slice(0, middleIndex), more: unnamedCount, ...eventParts },
      name,
      maxCharacters,
    ),
    ...messagesOf({ changes: changes.slice(middleIndex), more: 0 }, name, maxCharacters),
  ];
}
