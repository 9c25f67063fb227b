import { expect, test } from 'vitest';
import { eventsOf } from './event-stream.ts';

/** A body that comes in pieces of so many bytes. */
function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
}

test.each([1, 2, 3, 7, 100])(
  'events are read whole, however they are cut: %i bytes a piece',
  async (size) => {
    const found: string[] = [];
    const text = ':\n\ndata: {"a":"ß"}\n\ndata: x\ndata: y\n\ndata: cut';
    for await (const data of eventsOf(inPieces(text, size))) found.push(data);
    expect(found).toEqual(['', '{"a":"ß"}', 'x\ny']);
  },
);
