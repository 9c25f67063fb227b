/**
 * Gathers files into pieces that are each an import of their own (`POST /app/import`), small files together: what was
 * answered is known to be stored, so that a stop or a lost connection leaves no doubt beyond one piece. One piece is
 * held at a time.
 */
import { concatBytes } from './bytes.ts';
import {
  recordsIn,
  type FileKind,
  type FoundRecord,
  type RecordFault,
  type RecordOptions,
} from './import-records.ts';

export interface PieceSource {
  readonly kind: FileKind;
  /** Its size. */
  readonly bytes: number;
  readonly chunks: () => AsyncIterable<Uint8Array>;
}

/** Where a record comes from: its file, and its line or entry in it; a record alone has none. */
interface Origin<Source> {
  readonly source: Source;
  readonly place?: number;
}

export interface Piece<Source> {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly kind: FileKind;
  /** Of each of its records, in their order: a report's place counts them from 1. */
  readonly origins: readonly Origin<Source>[];
  /** Bytes of all files up to its end. */
  readonly read: number;
}

export type PieceFault<Source> = Origin<Source> & RecordFault;

export interface PieceOptions<Source> extends RecordOptions {
  /** Bytes that a piece should have, asked anew for each; a longer line or entry is a piece of its own. */
  readonly size: () => number;
  /** The records that are wanted; all where absent. */
  readonly wanted?: ((origin: Origin<Source>) => boolean) | undefined;
}

const ascii = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const [lineFeed, comma] = [ascii('\n'), ascii(',')];
const bundleStart = ascii('{"resourceType":"Bundle","entry":[');
const bundleEnd = ascii(']}');

/** The pieces of these files, one file behind the other. */
export async function* piecesOf<Source extends PieceSource>(
  sources: readonly Source[],
  { size, wanted, ...options }: PieceOptions<Source>,
): AsyncGenerator<Piece<Source> | PieceFault<Source>> {
  const held = new Gathered<Source>();
  let before = 0;
  for (const source of sources) {
    let read = before;
    for await (const found of recordsIn(source.chunks(), source.kind, options)) {
      for (const { place, ...one } of found) {
        const origin: Origin<Source> = { source, ...(place !== undefined && { place }) };
        if (wanted?.(origin) === false) continue;
        if ('fault' in one) {
          yield { ...origin, ...one };
          continue;
        }
        const form = one.asIs ? 'asIs' : source.kind;
        if (held.isFull(form, one.bytes.length, size())) yield held.take(read);
        read += one.bytes.length;
        held.add(form, one, origin);
      }
    }
    before += source.bytes;
  }
  if (!held.isEmpty) yield held.take(before);
}

type Form = FileKind | 'asIs';

/** The records of the piece that comes next. */
class Gathered<Source> {
  private form: Form = 'asIs';
  private parts: Uint8Array[] = [];
  private origins: Origin<Source>[] = [];
  private bytes = 0;

  get isEmpty(): boolean {
    return this.parts.length === 0;
  }

  /** Whether what comes next belongs into another piece. */
  isFull(form: Form, bytes: number, size: number): boolean {
    if (this.isEmpty) return false;
    return form !== this.form || form === 'asIs' || this.bytes + bytes > size;
  }

  add(form: Form, { bytes }: FoundRecord, origin: Origin<Source>): void {
    this.form = form;
    this.parts.push(bytes);
    this.origins.push(origin);
    this.bytes += bytes.length + 1;
  }

  take(read: number): Piece<Source> {
    const { form, parts, origins } = this;
    this.parts = [];
    this.origins = [];
    this.bytes = 0;
    return { body: bodyOf(form, parts), kind: form === 'lines' ? 'lines' : 'json', origins, read };
  }
}

function bodyOf(form: Form, parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joint = form === 'lines' ? lineFeed : comma;
  const joined = parts.flatMap((part, index) => (index === 0 ? [part] : [joint, part]));
  return concatBytes(form === 'json' ? [bundleStart, ...joined, bundleEnd] : joined);
}
