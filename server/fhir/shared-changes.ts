import { ChangeEvent } from '../../core/app/changes.ts';
import { parseAs } from '../../core/json/shape.ts';
import type { ChangeListener, Changes } from './changes.ts';

/** How servers of one store tell each other. */
export interface Wire {
  /** Bytes of a message, at most. */
  readonly most: number;
  say(text: string): Promise<void>;
  /** Calls back with each message of any server, this one's own too; with an empty text once they are heard, or heard again. */
  on(told: (text: string) => void): void;
}

/**
 * The changes of all servers of a store. Each tells what it stored, once it is stored and gathered, so that no write waits for
 * it; a message that is lost costs a mark on a page, and nothing else. Where the servers could not hear each other for a time,
 * streams end.
 */
export function sharedChanges(own: Changes, wire: Wire, name: string): Changes {
  const listeners = new Set<ChangeListener>();
  const tell: ChangeListener = (event) => {
    for (const listener of listeners) listener(event);
  };
  own.listen((event) => {
    tell(event);
    for (const text of event ? messagesOf(event, name, wire.most) : [])
      void wire.say(text).catch(() => undefined);
  });
  wire.on((text) => {
    if (text === '') {
      // What was said before nobody heard: whoever reads comes again, and reads anew what it shows.
      tell(undefined);
      listeners.clear();
      return;
    }
    const [from, body] = [text.slice(0, name.length), text.slice(name.length)];
    const event = from === name ? undefined : parseAs(ChangeEvent, body);
    if (event) tell(event);
  });
  return {
    ...own,
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      own.close();
      listeners.clear();
    },
  };
}

/** An event in as many messages as it takes; what names too much for one is told by its number. */
function messagesOf(event: ChangeEvent, name: string, most: number): string[] {
  const text = name + JSON.stringify(event);
  if (Buffer.byteLength(text) <= most) return [text];
  const { changes, more, ...others } = event;
  if (changes.length < 2)
    return [name + JSON.stringify({ changes: [], more: more + changes.length, ...others })];
  const half = Math.ceil(changes.length / 2);
  return [
    ...messagesOf({ changes: changes.slice(0, half), more, ...others }, name, most),
    ...messagesOf({ changes: changes.slice(half), more: 0 }, name, most),
  ];
}
