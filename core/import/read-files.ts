import { BlobReader, ZipReader, type FileEntry } from '@zip.js/zip.js/lib/zip-core-native.js';
import { Inflate } from 'pako';
import { defineMessages, type Message } from '../text/message.ts';
import type { FileImportEntry, ImportEntry } from './entry.ts';
import { ManifestCheck } from './manifest.ts';
import { readJsonEntries } from './read-json.ts';
import { readXmlEntries } from './read-xml.ts';

const messages = defineMessages('import', {
  otherFile: 'The file is not JSON, NDJSON or XML.',
  emptyFile: 'The file is empty.',
  damagedGzip: 'The gzip file is damaged or cut off. What follows was not read.',
  damagedZip: 'The zip file is damaged or cut off. What follows was not read.',
  encryptedZip: 'The file in the zip file is encrypted.',
  tooManyFiles: '{name} contains more than {max} files. The others were not read.',
  tooLargeUnpacked: '{name} unpacks to more than {gigabytes} GB. What follows was not read.',
  noResources: 'The file contains no resources.',
  changedFile:
    'The file changed while it was read. Records can be missing or come from two states of the file.',
  unreadableFile: 'The file can’t be read: it changed after it was chosen, was moved, or access is denied.',
});

/** File of an import, from a disk or a request body. */
export interface InputFile {
  /** Path or name for the account. */
  readonly path: string;
  /** Its bytes. Reading fails if the file changed since the blob was made. */
  readonly blob: Blob;
  /** Called with the count of bytes that were read. */
  readonly onRead?: (bytes: number) => void;
}

/** Limits that keep a machine safe from packed files. */
export interface ImportLimits {
  /** Maximum bytes of one resource. */
  readonly resourceBytes: number;
  /** Maximum bytes of one packed file after unpacking. */
  readonly unpackedBytes: number;
  /** Maximum count of files in one zip file. */
  readonly zipFiles: number;
}

const gigabyte = 1024 ** 3;

/** Returns the limits of an import. */
export function importLimits(resourceBytes: number): ImportLimits {
  return { resourceBytes, unpackedBytes: 8 * gigabyte, zipFiles: 100_000 };
}

/** Thrown where the rest of a file cannot be read. */
class FileError extends Error {
  override readonly name = 'FileError';
  readonly fault: Message;

  constructor(fault: Message) {
    super(fault.text);
    this.fault = fault;
  }
}

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Yields the entries of files: JSON, NDJSON and FHIR XML, each also as gzip or in a zip file. Its content decides how a file is
 * read, its name only whether JSON is NDJSON. No path is taken from a zip file. Files that a manifest among them lists are
 * checked at the end.
 */
export async function* readEntries(
  files: Iterable<InputFile> | AsyncIterable<InputFile>,
  limits: ImportLimits,
): AsyncGenerator<FileImportEntry> {
  const check = new ManifestCheck();
  for await (const input of files)
    for await (const entry of readInput(input, limits)) {
      const fileEntry = { ...entry, source: input.path };
      check.add(fileEntry);
      yield fileEntry;
    }
  yield* check.findProblems();
}

async function* readInput(
  input: InputFile,
  limits: ImportLimits,
): AsyncGenerator<Omit<FileImportEntry, 'source'>> {
  const { path, blob } = input;
  if (startsWith(new Uint8Array(await readStart(blob)), zipStart)) yield* readZip(input, limits);
  else for await (const entry of readFile(path, bytesOf(input), limits)) yield { ...entry, file: path };
}

async function readStart(blob: Blob): Promise<ArrayBuffer> {
  try {
    return await blob.slice(0, 4).arrayBuffer();
  } catch {
    // The reader of the whole file reports the failure.
    return new ArrayBuffer(0);
  }
}

/**
 * Yields the bytes of a file. A blob notices at its next read that its file changed, and the bytes that were read
 * before can be of two states. So the file is read once more at its end.
 */
async function* bytesOf({ blob, onRead }: InputFile): AsyncGenerator<Uint8Array> {
  let count = 0;
  try {
    for await (const chunk of blob.stream()) {
      count += chunk.length;
      onRead?.(chunk.length);
      yield chunk;
    }
  } catch {
    throw new FileError(count === 0 ? messages.unreadableFile() : messages.changedFile());
  }
  if (count !== blob.size || (await isChanged(blob))) throw new FileError(messages.changedFile());
}

async function isChanged(blob: Blob): Promise<boolean> {
  try {
    await blob.slice(0, 1).arrayBuffer();
    return false;
  } catch {
    return true;
  }
}

const zipStart = [0x50, 0x4b, 0x03, 0x04];
const gzipStart = [0x1f, 0x8b];

const startsWith = (bytes: Uint8Array, start: readonly number[]) =>
  start.every((byte, index) => bytes[index] === byte);

/**
 * Yields the entries of one file that arrives in chunks and is not a zip file.
 *
 * @param path - Its name. `.ndjson` and `.jsonl` make each line of JSON a text of its own.
 */
export async function* readFile(
  path: string,
  chunks: Bytes,
  limits: ImportLimits,
): AsyncGenerator<ImportEntry> {
  let isEmpty = true;
  try {
    for await (const entry of readContent(path, chunks, limits)) {
      isEmpty = false;
      yield entry;
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    yield { path: '', problem: error.fault };
    return;
  }
  if (isEmpty) yield { path: '', skipReason: messages.noResources() };
}

/** Reads a file by its first bytes. */
async function* readContent(path: string, chunks: Bytes, limits: ImportLimits): AsyncGenerator<ImportEntry> {
  const { start, allChunks } = await peekStart(chunks);
  if (startsWith(start, gzipStart)) {
    yield* readContent(path.replace(/\.gz$/i, ''), limitBytes(path, unpackGzip(allChunks), limits), limits);
    return;
  }
  const text = new TextDecoder()
    .decode(start)
    .replace(/^\uFEFF/, '')
    .trimStart();
  const isUtf16 = startsWith(start, [0xff, 0xfe]) || startsWith(start, [0xfe, 0xff]);
  if (text.startsWith('<') || (isUtf16 && /\.xml$/i.test(path)))
    yield* readXmlEntries(allChunks, limits.resourceBytes);
  else if (text === '') yield { path: '', skipReason: messages.emptyFile() };
  else if (/^[[{]/.test(text) || jsonName.test(path))
    yield* readJsonEntries(allChunks, limits.resourceBytes, ndjsonName.test(path));
  else yield { path: '', skipReason: messages.otherFile() };
}

const jsonName = /\.(?:json|ndjson|jsonl)$/i;
const ndjsonName = /\.(?:ndjson|jsonl)$/i;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Reads the first bytes that are not white space, and returns them with all chunks. */
async function peekStart(chunks: Bytes): Promise<{ readonly start: Uint8Array; readonly allChunks: Bytes }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const firstChunks: Uint8Array[] = [];
  for (;;) {
    const next = await iterator.next();
    if (next.done === true) break;
    firstChunks.push(next.value);
    if (!next.value.every(isSpace)) break;
  }
  async function* readAll() {
    yield* firstChunks;
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) return;
      yield next.value;
    }
  }
  const start = firstChunks.at(-1) ?? new Uint8Array();
  const offset = Math.max(
    0,
    start.findIndex((byte) => !isSpace(byte)),
  );
  return { start: start.subarray(offset, offset + 64), allChunks: readAll() };
}

/** Unpacks gzip, also of several members. Their checksums are compared. */
async function* unpackGzip(chunks: Bytes): AsyncGenerator<Uint8Array> {
  let unpacked: Uint8Array[] = [];
  let inflate: Inflate | undefined;
  for await (const chunk of chunks) {
    let remainder = chunk;
    while (remainder.length > 0) {
      if (!inflate) {
        // Some tools fill up the last block with zeros.
        remainder = remainder.subarray(remainder[0] === 0 ? remainder.length : 0);
        if (remainder.length === 0) break;
        inflate = new Inflate({ windowBits: 31 });
        inflate.onData = (bytes) => unpacked.push(bytes);
      }
      const isRead = inflate.push(remainder, false);
      yield* unpacked;
      unpacked = [];
      if (!isRead) throw new FileError(messages.damagedGzip());
      remainder = remainder.subarray(remainder.length);
      if (inflate.ended) inflate = undefined;
    }
  }
  if (inflate) throw new FileError(messages.damagedGzip());
}

async function* limitBytes(
  name: string,
  chunks: Bytes,
  { unpackedBytes }: ImportLimits,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of chunks) {
    count += chunk.length;
    if (count > unpackedBytes)
      throw new FileError(messages.tooLargeUnpacked({ name, gigabytes: unpackedBytes / gigabyte }));
    yield chunk;
  }
}

/** Calls back with the length of each part that it reads. */
class CountingBlobReader extends BlobReader {
  private readonly onRead: ((bytes: number) => void) | undefined;

  constructor({ blob, onRead }: InputFile) {
    super(blob);
    this.onRead = onRead;
  }

  override readUint8Array(offset: number, length: number): Promise<Uint8Array> {
    this.onRead?.(length);
    return super.readUint8Array(offset, length);
  }
}

/** Reads the files of a zip file in the order of its directory. Files of macOS beside others are left out. */
async function* readZip(
  input: InputFile,
  limits: ImportLimits,
): AsyncGenerator<Omit<FileImportEntry, 'source'>> {
  const { path, blob } = input;
  const reader = new ZipReader(new CountingBlobReader(input), {
    checkCrc32: true,
    // Names are only shown. No path is taken from them.
    filenameValidation: 'tolerant',
    useWebWorkers: false,
    useCompressionStream: true,
  });
  let files = 0;
  let unpackedBytes = 0;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (entry.directory || /(?:^|\/)(?:__MACOSX\/|\._)/.test(entry.filename)) continue;
      files += 1;
      const file = `${path}/${entry.filename}`;
      if (files > limits.zipFiles) {
        yield { file: path, path: '', problem: messages.tooManyFiles({ name: path, max: limits.zipFiles }) };
        return;
      }
      const fileChunks = countBytes(unzip(entry), (count) => (unpackedBytes += count));
      const remainingLimits = { ...limits, unpackedBytes: limits.unpackedBytes - unpackedBytes };
      if (entry.encrypted) yield { file, path: '', problem: messages.encryptedZip() };
      else
        for await (const part of readFile(file, limitBytes(path, fileChunks, remainingLimits), limits))
          yield { ...part, file };
    }
    if (await isChanged(blob)) yield { file: path, path: '', problem: messages.changedFile() };
    else if (files === 0) yield { file: path, path: '', skipReason: messages.noResources() };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const problem = (await isChanged(blob)) ? messages.changedFile() : messages.damagedZip();
    yield { file: path, path: '', problem };
  } finally {
    await reader.close();
  }
}

async function* countBytes(chunks: Bytes, add: (count: number) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    add(chunk.length);
    yield chunk;
  }
}

/** Yields the bytes of a file in a zip file. Its checksum is compared at its end. */
async function* unzip(entry: FileEntry): AsyncGenerator<Uint8Array> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const reading = entry.getData(writable).then(
    () => undefined,
    () => new FileError(messages.damagedZip()),
  );
  try {
    yield* readable;
  } catch {
    throw (await reading) ?? new FileError(messages.damagedZip());
  }
  const failure = await reading;
  if (failure) throw failure;
}
