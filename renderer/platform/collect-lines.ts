/** Bytes after which chunks are moved into a Blob, which the browser may store on disk. */
const blobSize = 4 * 1024 * 1024;
const lineFeed = 0x0a;

export interface CollectedLines {
  readonly blob: Blob;
  readonly lineCount: number;
}

/**
 * Reads an NDJSON response into a Blob.
 *
 * @throws The error of the stream if the response is interrupted.
 */
export async function collectLines(
  { body }: Response,
  onProgress: (lines: number, bytes: number) => void = () => undefined,
): Promise<CollectedLines> {
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let lines = 0;
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    for (let index = chunk.indexOf(lineFeed); index !== -1; index = chunk.indexOf(lineFeed, index + 1))
      lines += 1;
    if (size >= blobSize) {
      blobs.push(new Blob(chunks));
      chunks = [];
      size = 0;
    }
    onProgress(lines, bytes);
  }
  return { blob: new Blob([...blobs, ...chunks], { type: 'application/x-ndjson' }), lineCount: lines };
}
