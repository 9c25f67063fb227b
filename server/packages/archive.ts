import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { codeOf } from '../store/store-error.ts';
import { packageLimits, PackageFault, tooManyBytes } from './limits.ts';

/** A file of a package: its path with `/`, and how to read it; what is not read is skipped. */
export interface PackageFile {
  readonly path: string;
  bytes(): Promise<Buffer>;
}

/** What a package has no use for, and what could lead out of a folder. */
const refusedTypes: Readonly<Record<string, string>> = {
  link: 'a link',
  symlink: 'a link',
  'character-device': 'a device',
  'block-device': 'a device',
  fifo: 'a pipe',
};

/**
 * The files of a `.tgz` or `.tar` in their order, read as a stream: one file is held at a time.
 *
 * @throws PackageFault where it is damaged, hostile or too large.
 */
export async function* filesOfArchive(path: string): AsyncGenerator<PackageFile> {
  const entries = decoded(path, await isGzip(path));
  let files = 0;
  try {
    for await (const entry of entries) {
      const { name, type = 'file', size } = entry.header;
      checkPath(name);
      const refused = refusedTypes[type];
      if (refused !== undefined) throw new PackageFault(`The package holds ${refused}: ${shown(name)}.`);
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
      // What nobody wants is read too: the decoder loses the next entry where a body is cancelled.
      await (content ?? contentOf(entry, 0));
    }
  } catch (error) {
    throw faultOf(error);
  }
}

/** @throws PackageFault where there are too many files, or one is too large. */
export function checkFile(files: number, size: number, path: string): void {
  if (files > packageLimits.files) {
    throw new PackageFault(`The package has more than ${packageLimits.files} files.`);
  }
  if (size > packageLimits.file) throw tooManyBytes(`The file ${shown(path)} has`, packageLimits.file);
}

/** A path as a sentence holds it: no controls, and not endless. */
export function shown(path: string): string {
  const plain = path.replaceAll(/[^\x20-\x7e]/g, '?');
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain;
}

/** @throws PackageFault where a path leads out of the package, or is none. */
function checkPath(path: string): void {
  if (path.length > packageLimits.path || path.includes('\0')) {
    throw new PackageFault(`The package holds a path that is not one: ${shown(path)}.`);
  }
  const absolute = /^(?:[/\\]|[A-Za-z]:)/.test(path);
  if (absolute || path.split(/[/\\]/).includes('..')) {
    throw new PackageFault(`The package holds a path that leads out of it: ${shown(path)}.`);
  }
}

/** Whether a file begins as a gzip does. */
export async function isGzip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer.readUInt16BE(0) === 0x1f8b;
  } finally {
    await file.close();
  }
}

/** The entries of the archive; unpacking stops where it has had too many bytes. */
function decoded(path: string, gzip: boolean): AsyncIterable<ParsedTarEntry> {
  const source = createReadStream(path);
  let left: number = packageLimits.unpacked;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      if (left < 0) done(tooManyBytes('Unpacked, the package has', packageLimits.unpacked));
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

/** The content of an entry up to `size` bytes; all of it is read. */
async function contentOf({ body }: ParsedTarEntry, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let at = 0;
  try {
    for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
      if (at < size) bytes.set(chunk, at);
      at += chunk.length;
    }
  } catch (error) {
    throw faultOf(error);
  }
  return bytes;
}

/** What is wrong with the archive, whichever of the streams told it. */
function faultOf(error: unknown): PackageFault {
  if (error instanceof PackageFault) return error;
  return new PackageFault(
    codeOf(error).startsWith('Z_')
      ? 'The file cannot be unpacked to its end: it is damaged, or no gzip.'
      : 'The file is no sound tar archive: it is damaged, or something else.',
  );
}
