import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { defineMessages } from '../../core/text/message.ts';
import { formatErrorCode, StoreBusyError, StoreError } from '../store/store-error.ts';
import { syncFolder } from '../sqlite/sync.ts';
import type { SharedArchives } from './shared-archives.ts';
import { passing } from '../packages/files.ts';
import type { MirrorParts, PackageMirror } from '../packages/packages.ts';

/** Bytes of an archive that are sent at once. */
const chunkBytes = 1024 ** 2;

const messages = defineMessages('package.mirror', {
  damaged: 'The shared store’s copy differs from the package you added. Remove it and add it again.',
  notStored: 'The file couldn’t be stored on this server.',
  added: 'Another server has added the same package.',
});

/**
 * Mirrors the shared packages of all servers of one store in a folder. Nobody puts files there by hand.
 * Calls run one at a time.
 */
export function mirrorOf(shared: SharedArchives, { folder, makeFolder, log }: MirrorParts): PackageMirror {
  /** Checksums of files that are known to be correct. */
  const sums = new Map<string, string>();
  let problems: ReadonlyMap<string, string> = new Map();
  const pathOf = (file: string) => join(folder, file);

  async function sumOf(file: string): Promise<string> {
    const sum = sums.get(file) ?? (await sha256Of(pathOf(file)));
    sums.set(file, sum);
    return sum;
  }

  async function removeOthers(expectedFiles: ReadonlyMap<string, string>): Promise<boolean> {
    const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
    let changed = false;
    for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
      const { name } = entry;
      if (entry.isFile() && expectedFiles.get(name) === (await sumOf(name))) continue;
      await rm(pathOf(name), { recursive: true, force: true });
      sums.delete(name);
      changed = true;
    }
    return changed;
  }

  /**
   * Fetches a file. Returns the problem; undefined if it is present or was removed from the store
   * meanwhile.
   */
  async function fetch(file: string, sha256: string): Promise<string | undefined> {
    const path = pathOf(passing + randomUUID());
    const sum = createHash('sha256');
    const summed = async function* (source: AsyncIterable<Uint8Array>) {
      for await (const chunk of source) {
        sum.update(chunk);
        yield chunk;
      }
    };
    try {
      makeFolder();
      const target = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
      await pipeline(shared.read(file), summed, target);
      if (sum.digest('hex') !== sha256)
        return (await shared.list()).get(file) === sha256 ? messages.damaged().text : undefined;
      await rename(path, pathOf(file));
      sums.set(file, sha256);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      log(`a package was not kept: ${formatErrorCode(error)}; /app/packages names it`);
      return messages.notStored().text;
    } finally {
      await rm(path, { force: true });
    }
    return undefined;
  }

  return {
    problems: () => problems,

    async pull() {
      const expectedFiles = await shared.list();
      let hasChanged = await removeOthers(expectedFiles);
      const problemsByFile = new Map<string, string>();
      for (const [file, sha256] of expectedFiles) {
        if (existsSync(pathOf(file))) continue;
        const problem = await fetch(file, sha256);
        if (problem !== undefined) problemsByFile.set(file, problem);
        hasChanged ||= problems.get(file) !== problem || problem === undefined;
      }
      if (hasChanged && existsSync(folder)) syncFolder(folder);
      hasChanged ||= problemsByFile.size !== problems.size;
      problems = problemsByFile;
      return hasChanged;
    },

    async add(archive, path) {
      const sha256 = await sha256Of(path);
      if (!(await shared.add({ ...archive, sha256 }, piecesOf(path))))
        throw new StoreBusyError(messages.added().text, '', undefined);
      sums.set(archive.file, sha256);
    },

    remove: (file) => shared.remove(file),
    onChange: (listener) => shared.onChange(listener),
  };
}

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes })) yield chunk as Buffer;
}

async function sha256Of(path: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of piecesOf(path)) sum.update(chunk);
  return sum.digest('hex');
}
