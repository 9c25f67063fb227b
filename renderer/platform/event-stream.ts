/** What a stream of text says up to each separator, as it comes; what no separator ends is left out. */
export async function* partsOf(
  body: ReadableStream<Uint8Array> | null,
  separator: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body ?? []) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split(separator);
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

/**
 * The data of each event of a stream (WHATWG HTML section 9.2.6), as it comes; a comment is an empty one, which says
 * that the server is there.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  for await (const event of partsOf(body, '\n\n')) {
    const lines = event.split('\n').filter((line) => line.startsWith('data:'));
    yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
  }
}
