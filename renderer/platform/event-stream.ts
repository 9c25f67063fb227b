/**
 * The data of each event of a stream (WHATWG HTML section 9.2.6), as it comes; a comment is an empty one, which says
 * that the server is there.
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let waiting = '';
  for await (const chunk of body) {
    waiting += decoder.decode(chunk, { stream: true });
    const events = waiting.split('\n\n');
    waiting = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n').filter((line) => line.startsWith('data:'));
      yield lines.map((line) => line.slice('data:'.length).trimStart()).join('\n');
    }
  }
}
