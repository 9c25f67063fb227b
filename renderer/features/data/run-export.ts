import { openExport } from '../../platform/transfer.ts';

/** Bytes after which what came is handed to a Blob, which the browser may keep on disk. */
const blobSize = 4 * 1024 * 1024;
const lineFeed = 0x0a;

export interface Exported {
  readonly blob: Blob;
  readonly records: number;
}

/**
 * Reads an export into a Blob, its bytes as they come; rejects as {@link openExport} does, and where it is aborted.
 */
export async function runExport(
  query: string,
  signal: AbortSignal,
  progressed: (records: number, bytes: number) => void,
): Promise<Exported> {
  const { body } = await openExport(query, signal);
  const blobs: Blob[] = [];
  let held: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let records = 0;
  let bytes = 0;
  for await (const chunk of body ?? []) {
    held.push(chunk);
    size += chunk.length;
    bytes += chunk.length;
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) records += 1;
    if (size >= blobSize) {
      blobs.push(new Blob(held));
      held = [];
      size = 0;
    }
    progressed(records, bytes);
  }
  return { blob: new Blob([...blobs, ...held], { type: 'application/x-ndjson' }), records };
}
