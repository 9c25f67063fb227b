import { expect, test } from 'vitest';
import { eventsOf } from './event-stream.ts';

/** Returns a body in chunks of `size` bytes. */
function streamInChunks(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  return new ReadableStream({
    start(controller) {
      for (let offset = 0; offset < bytes.length; offset += size)
        controller.enqueue(bytes.slice(offset, offset + size));
      controller.close();
    },
  });
}

test.each([1, 2, 3, 7, 100])('reads complete events from chunks of %i bytes', async (size) => {
  const events: string[] = [];
  const text = ':\n\ndata: {"a":"ß"}\n\ndata: x\ndata: y\n\ndata: cut';
  for await (const data of eventsOf(streamInChunks(text, size))) events.push(data);
  expect(events).toEqual(['', '{"a":"ß"}', 'x\ny']);
});
