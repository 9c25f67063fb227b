import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { defineMessages, type Message } from '../../core/text/message.ts';
import { codeOf } from '../store/store-error.ts';
import { inMebibytes, packageLimits, PackageError } from './limits.ts';

const messages = defineMessages('package', {
  containsLink: 'The package contains a link: {name}.',
  containsDevice: 'The package contains a device: {name}.',
  containsPipe: 'The package contains a pipe: {name}.',
  manyFiles: 'The package has more than {most} files.',
  largeFile: 'The file {file} has more than {mebibytes} MiB.',
  large: 'The package has more than {mebibytes} MiB.',
  largeUnpacked: 'Unpacked, the package has more than {mebibytes} MiB.',
  invalidPath: 'The package contains an invalid path: {path}.',
  outsidePath: 'The package contains a path outside itself: {path}.',
  notGzip: 'Can’t unpack the file: it is damaged or not gzip.',
  notTar: 'Not a valid tar archive.',
});

/**
 * A file of a package: its path with `/` and a function that reads it. Files that are not read are skipped.
 */
export interface PackageFile {
  readonly path: string;
  bytes(): Promise<Buffer>;
}

/** Entry types that a package may not contain, because they are useless or could lead out of a folder. */
const refusedTypes: Readonly<Record<string, (parameters: { readonly name: string }) => Message>> = {
  link: messages.containsLink,
  symlink: messages.containsLink,
  'character-device': messages.containsDevice,
  'block-device': messages.containsDevice,
  fifo: messages.containsPipe,
};

/**
 * Yields the files of a `.tgz` or `.tar` in order from a stream, with one file in memory at a time.
 *
 * @throws PackageError if it is damaged, hostile or too large.
 */
export async function* filesOfArchive(path: string): AsyncGenerator<PackageFile> {
  const entries = decoded(path, await isGzip(path));
  let files = 0;
  try {
    for await (const entry of entries) {
      const { name, type = 'file', size } = entry.header;
      checkPath(name);
      const rejection = refusedTypes[type];
      if (rejection !== undefined) throw new PackageError(rejection({ name: toDisplayPath(name) }));
      if (type !== 'file') {
        await contentOf(entry, 0);
        continue;
      }
      files += 1;
      checkFile(files, size, name);
      let content: Promise<Buffer> | undefined;
      yield {
        path: name.replace(/^\.\//, ''),
        bytes: () => (content = contentOf(entry, size)),
      };
      // Reads an unwanted entry as well: the decoder loses the next entry if a body is canceled.
      await (content ?? contentOf(entry, 0));
    }
  } catch (error) {
    throw faultOf(error);
  }
}

/** @throws PackageError if there are too many files, or one is too large. */
export function checkFile(files: number, size: number, path: string): void {
  if (files > packageLimits.files) throw tooManyFiles();
  if (size > packageLimits.file) {
    const mebibytes = inMebibytes(packageLimits.file);
    throw new PackageError(messages.largeFile({ file: toDisplayPath(path), mebibytes }));
  }
}

/** Returns the error for a package with too many files. */
export function tooManyFiles(): PackageError {
  return new PackageError(messages.manyFiles({ most: packageLimits.files }));
}

/** Returns the error for an unpacked folder that is too large. */
export function tooLarge(): PackageError {
  return new PackageError(messages.large({ mebibytes: inMebibytes(packageLimits.unpacked) }));
}

/** Returns the error for a package that contains a link. */
export function linkIn(name: string): PackageError {
  return new PackageError(messages.containsLink({ name: toDisplayPath(name) }));
}

/** Returns a path for use in a message: without control characters and truncated. */
export function toDisplayPath(path: string): string {
  const plain = path.replaceAll(/[^\x20-\x7e]/g, '?');
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}

/** @throws PackageError if a path leads out of the package or is invalid. */
function checkPath(path: string): void {
  if (path.length > packageLimits.path || path.includes('\0')) {
    throw new PackageError(messages.invalidPath({ path: toDisplayPath(path) }));
  }
  const absolute = /^(?:[/\\]|[A-Za-z]:)/.test(path);
  if (absolute || path.split(/[/\\]/).includes('..')) {
    throw new PackageError(messages.outsidePath({ path: toDisplayPath(path) }));
  }
}

/** Returns true if a file starts with a gzip header. */
export async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b;
  } finally {
    await file.close();
  }
}

/** Returns the entries of the archive. Decompression stops at the byte limit. */
function decoded(path: string, gzip: boolean): AsyncIterable<ParsedTarEntry> {
  const source = createReadStream(path);
  let remainingBytes: number = packageLimits.unpacked;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      remainingBytes -= chunk.length;
      const mebibytes = inMebibytes(packageLimits.unpacked);
      if (remainingBytes < 0) done(new PackageError(messages.largeUnpacked({ mebibytes })));
      else done(null, chunk);
    },
  });
  const unpacked: Readable = gzip ? source.pipe(createGunzip()) : source;
  source.on('error', (error: Error) => bounded.destroy(error));
  unpacked.on('error', (error: Error) => bounded.destroy(error)).pipe(bounded);
  bounded.on('close', () => source.destroy());
  const decoder = createTarDecoder({ strict: true }) as ReadableWritablePair<ParsedTarEntry, Uint8Array>;
  return Readable.toWeb(bounded).pipeThrough(decoder);
}

/** Returns the content of an entry up to `size` bytes. Reads the entry to its end. */
async function contentOf({ body }: ParsedTarEntry, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let offset = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      if (offset < size) bytes.set(chunk, offset);
      offset += chunk.length;
    }
  } catch (error) {
    throw faultOf(error);
  }
  return bytes;
}

/** Returns the problem of the archive, reported by any of the streams. */
function faultOf(error: unknown): PackageError {
  if (error instanceof PackageError) return error;
  return new PackageError(codeOf(error).startsWith('Z_') ? messages.notGzip() : messages.notTar());
}
