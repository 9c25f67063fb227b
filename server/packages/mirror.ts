import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { codeOf, StoreBusyError, StoreError } from '../store/store-error.ts';
import { syncFolder } from '../store/sqlite/sync.ts';
import type { NewArchive, SharedArchives } from '../store/shared-archives.ts';
import { passing } from './files.ts';

/** Bytes of an archive that are sent at once. */
const piece = 1024 ** 2;

const damagedText =
  'What the shared store has of it is not what was added. Remove it, and add the package again.';
const notKeptText = 'The file could not be kept at this server.';

export interface MirrorParts {
  readonly shared: SharedArchives;
  readonly folder: string;
  /** Makes the folder where it is not there yet. */
  readonly makeFolder: () => void;
  readonly log: (line: string) => void;
}

/**
 * A folder that holds the packages that servers of one store share, and nothing else: nobody puts a file there by hand. Its
 * calls come one behind the other.
 */
export function mirrorOf({ shared, folder, makeFolder, log }: MirrorParts) {
  /** Of files that are known to be what they are to be. */
  const sums = new Map<string, string>();
  let problems: ReadonlyMap<string, string> = new Map();
  const pathOf = (file: string) => join(folder, file);

  async function sumOf(file: string): Promise<string> {
    const sum = sums.get(file) ?? (await sha256Of(pathOf(file)));
    sums.set(file, sum);
    return sum;
  }

  async function removeOthers(wanted: ReadonlyMap<string, string>): Promise<boolean> {
    const entries = existsSync(folder) ? await readdir(folder, { withFileTypes: true }) : [];
    let changed = false;
    for (const entry of entries.filter(({ name }) => !name.startsWith('.'))) {
      const { name } = entry;
      if (entry.isFile() && wanted.get(name) === (await sumOf(name))) continue;
      await rm(pathOf(name), { recursive: true, force: true });
      sums.delete(name);
      changed = true;
    }
    return changed;
  }

  /** Why a file cannot be had; undefined where it is there, or is gone from the store meanwhile. */
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
        return (await shared.list()).get(file) === sha256 ? damagedText : undefined;
      await rename(path, pathOf(file));
      sums.set(file, sha256);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      log(`a package was not kept: ${codeOf(error) || 'unknown'}; /app/packages names it`);
      return notKeptText;
    } finally {
      await rm(path, { force: true });
    }
    return undefined;
  }

  return {
    /** Why files of the store are not in the folder, by their names. */
    problems: (): ReadonlyMap<string, string> => problems,

    /** Makes the folder hold what the store holds; whether anything is another. */
    async pull(): Promise<boolean> {
      const wanted = await shared.list();
      let changed = await removeOthers(wanted);
      const found = new Map<string, string>();
      for (const [file, sha256] of wanted) {
        if (existsSync(pathOf(file))) continue;
        const problem = await fetch(file, sha256);
        if (problem !== undefined) found.set(file, problem);
        changed ||= problems.get(file) !== problem || problem === undefined;
      }
      if (changed && existsSync(folder)) syncFolder(folder);
      changed ||= found.size !== problems.size;
      problems = found;
      return changed;
    },

    /**
     * Has all servers hold the archive at `path`.
     *
     * @throws StoreBusyError where another server added the same at this moment.
     */
    async add(archive: Omit<NewArchive, 'sha256'>, path: string): Promise<void> {
      const sha256 = await sha256Of(path);
      if (!(await shared.add({ ...archive, sha256 }, piecesOf(path))))
        throw new StoreBusyError('Another server added the same.', '', undefined);
      sums.set(archive.file, sha256);
    },

    /** Has no server hold it. */
    remove: (file: string): Promise<void> => shared.remove(file),
  };
}

async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: piece })) yield chunk as Buffer;
}

async function sha256Of(path: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of piecesOf(path)) sum.update(chunk);
  return sum.digest('hex');
}
