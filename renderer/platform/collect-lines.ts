/** Bytes after which what came is handed to a Blob, which the browser may keep on disk. */
const blobSize = 4 * 1024 * 1024;
const lineFeed = 0x0a;

export interface Collected {
  readonly blob: Blob;
  readonly lines: number;
}

/** Reads an answer of NDJSON into a Blob, its bytes as they come; rejects where the answer breaks off. */
export async function collectLines(
  { body }: Response,
  progressed: (lines: number, bytes: number) => void = () => undefined,
): Promise<Collected> {
  const blobs: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let lines = 0;
  let bytes = 0;
  for await (const chunk of body ?? []) {
    held.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) lines += 1;
    if (size >= blobSize) {
      blobs.push(new Blob(held));
      held = [];
      size = 0;
    }
    progressed(lines, bytes);
  }
  return { blob: new Blob([...blobs, ...held], { type: 'application/x-ndjson' }), lines };
}
