/**
 * Splits files into chunks for `POST /app/import`. Small files share a chunk. A confirmed chunk is stored, so
 * a stop or a lost connection leaves at most one chunk in doubt. Only one chunk is in memory at a time.
 */
import { concatBytes } from './bytes.ts';
import {
  recordsIn,
  type FileKind,
  type FoundRecord,
  type RecordProblem,
  type RecordOptions,
} from './import-records.ts';

export interface ChunkSource {
  readonly kind: FileKind;
  /** Size of the file. */
  readonly bytes: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** Source of a record: its file, and its line or entry. A single record has no place. */
interface Origin<Source> {
  readonly source: Source;
  readonly place?: number;
}

export interface Piece<Source> {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly kind: FileKind;
  /** Origins of its records, in order. The place in a report counts them from 1. */
  readonly origins: readonly Origin<Source>[];
  /** Bytes of all files up to the end of this chunk. */
  readonly bytesRead: number;
}

export type ChunkProblem<Source> = Origin<Source> & RecordProblem;

export interface PieceOptions<Source> extends RecordOptions {
  /** Returns the bytes that the next chunk should have. A longer line or entry is a chunk of its own. */
  readonly size: () => number;
  /** Selects records; all if absent. */
  readonly isRequested?: ((origin: Origin<Source>) => boolean) | undefined;
}

const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const [lineFeed, comma] = [ascii('\n'), ascii(',')];
const bundleStart = ascii('{"resourceType":"Bundle","entry":[');
const bundleEnd = ascii(']}');

/** Yields the chunks of these files in order. */
export async function* splitIntoChunks<Source extends ChunkSource>(
  sources: readonly Source[],
  { size, isRequested, ...options }: PieceOptions<Source>,
): AsyncGenerator<Piece<Source> | ChunkProblem<Source>> {
  const pending = new PendingChunk<Source>();
  let previousBytes = 0;
  for (const source of sources) {
    let bytesRead = previousBytes;
    for await (const items of recordsIn(source.chunks(), source.kind, options)) {
      for (const { place, ...item } of items) {
        const origin: Origin<Source> = { source, ...(place !== undefined && { place }) };
        if (isRequested?.(origin) === false) continue;
        if ('fault' in item) {
          yield { ...origin, ...item };
          continue;
        }
        const format = item.asIs ? 'asIs' : source.kind;
        if (pending.isFull(format, item.bytes.length, size())) yield pending.takeChunk(bytesRead);
        bytesRead += item.bytes.length;
        pending.addRecord(format, item, origin);
      }
    }
    previousBytes += source.bytes;
  }
  if (!pending.isEmpty) yield pending.takeChunk(previousBytes);
}

type ChunkFormat = FileKind | 'asIs';

/** Records of the next chunk. */
class PendingChunk<Source> {
  private form: ChunkFormat = 'asIs';
  private parts: Uint8Array[] = [];
  private origins: Origin<Source>[] = [];
  private bytes = 0;

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** Returns true if the next record belongs in another chunk. */
  isFull(format: ChunkFormat, bytes: number, size: number): boolean {
    if (this.isEmpty) return false;
    return format !== this.form || format === 'asIs' || this.bytes + bytes > size;
  }

  addRecord(format: ChunkFormat, { bytes }: FoundRecord, origin: Origin<Source>): void {
    this.form = format;
    this.parts.push(bytes);
    this.origins.push(origin);
    this.bytes += bytes.length + 1;
  }

  takeChunk(bytesRead: number): Piece<Source> {
    const { form: format, parts, origins } = this;
    this.parts = [];
    this.origins = [];
    this.bytes = 0;
    return {
      body: bodyOf(format, parts),
      kind: format === 'lines' ? 'lines' : 'json',
      origins,
      bytesRead,
    };
  }
}

function bodyOf(format: ChunkFormat, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const separator = format === 'lines' ? lineFeed : comma;
  const separatedParts = parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]));
  return concatBytes(format === 'json' ? [bundleStart, ...separatedParts, bundleEnd] : separatedParts);
}
