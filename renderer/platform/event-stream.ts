/** Splits a text stream by a separator. Text after the last separator is dropped. */
export async function* partsOf(
  body: ReadableStream<Uint8Array> | null,
  separator: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let remaining = '';
  for await (const chunk of body ?? []) {
    const parts = (remaining + decoder.decode(chunk, { stream: true })).split(separator);
    remaining = parts.pop() ?? '';
    yield* parts;
  }
}

/**
 * Yields the data of each event of a stream (WHATWG HTML section 9.2.6). A comment yields an empty string,
 * which proves that the server is alive.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const event of partsOf(body, '\n\n')) {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'));
    yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
  }
}
