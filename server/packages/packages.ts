import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstalledPackage, PackageList } from '../../core/app/packages.ts';
import { noConformance, type ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import { defineMessages } from '../../core/text/message.ts';
import { codeOf, formatErrorCode } from '../store/store-error.ts';
import { syncFile, syncFolder } from '../sqlite/sync.ts';
import { createMutex } from '../store/mutex.ts';
import { Catalog, conformanceOf, definitionsIn, type ReadPackage } from './conformance-set.ts';
import { readIndex, type PackageIndex } from './definitions-file.ts';
import { describe } from './describe.ts';
import { restrictToOwner, endingOf, namesIn, passing, remove } from './files.ts';
import { packageLimits, PackageError } from './limits.ts';
import { ownDefinitions } from './own-definitions.ts';
import { readPackageInWorker } from './read-package-in-worker.ts';
import { sourceOf } from './read-package.ts';

export interface PackagesParts {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Creates the mirror of a folder. Absent if the folder belongs only to this server. */
  readonly createMirror?: (parts: MirrorParts) => PackageMirror;
}

/** The folder of a mirror. */
export interface MirrorParts {
  readonly folder: string;
  /** Creates the folder if it does not exist. */
  readonly makeFolder: () => void;
  readonly log: (line: string) => void;
}

/** A file of a package to be added. */
export interface NewArchive {
  readonly file: string;
  /** Name of the package. */
  readonly name: string;
  readonly version: string;
}

/** Mirrors the packages of all servers of a store in a folder. */
export interface PackageMirror {
  /** Returns the reason of each file that is not in the folder, by name. */
  problems(): ReadonlyMap<string, string>;
  /** Makes the folder equal to the store. Returns true if anything changed. */
  pull(): Promise<boolean>;
  /**
   * Stores the archive at `path` for all servers.
   *
   * @throws StoreBusyError if another server adds the same at this moment.
   */
  add(archive: NewArchive, path: string): Promise<void>;
  remove(file: string): Promise<void>;
  /** Calls the listener if another server may have changed something. */
  onChange(listener: () => void): void;
}

/**
 * The folders of packages below the data folder: of a server with its own packages, and of a server that shares them.
 */
export const packageFolders = { own: 'packages', shared: 'shared-packages' };

export type Packages = ReturnType<typeof createPackages>;

const messages = defineMessages('packages', {
  many: 'At most {most} packages can be installed.',
  manyToAdd: 'At most {most} packages can be installed. Delete one first.',
  same: 'Same package as {file}.',
  unreadable: 'Can’t read the file.',
  link: 'This is a link. Copy the package itself.',
  installed: '{name} {version} is already installed with different content. Delete it first.',
});

/** State of a file in the folder; undefined if it has not been read. */
type FileState = { readonly read: ReadPackage } | { readonly problem: string } | undefined;

/**
 * Manages the packages of a data folder, which mirrors the shared ones if there are any. Empty before
 * {@link Packages.begin}. Changes run one at a time.
 */
export function createPackages({ dataDir, log, createMirror }: PackagesParts) {
  const folder = join(dataDir, packageFolders[createMirror ? 'shared' : 'own']);
  const readFiles = definitionsIn(folder);
  const statesByFile = new Map<string, FileState>();
  let listener: (set: ConformanceSet) => void = () => undefined;
  let catalogue = new Catalog([]);
  let set: ConformanceSet = noConformance;
  const inTurn = createMutex();
  const mirror = createMirror?.({ folder, makeFolder: makeFolders, log });

  const pathOf = (file: string) => join(folder, file);
  const readPathOf = (file: string) => join(readFiles, `${file}.definitions`);
  const listRead = (): ReadPackage[] =>
    [...statesByFile.values()].flatMap((state) => (state && 'read' in state ? [state.read] : []));

  /** Publishes changed definitions. */
  function refresh(): void {
    const next = new Catalog(listRead());
    const changed = next.stamp !== catalogue.stamp;
    catalogue = next;
    if (!changed) return;
    set = next.stamp === '' ? noConformance : conformanceOf(next);
    listener(set);
  }

  function makeFolders(): void {
    for (const requiredFolder of [folder, readFiles])
      mkdirSync(requiredFolder, { recursive: true, mode: 0o700 });
  }

  /** Accepts a file of the folder: from its stored index if that is valid, otherwise by reading it. */
  async function takeIn(file: string, mustRead: boolean): Promise<void> {
    try {
      const source = await sourceOf(pathOf(file));
      const storedIndex = readIndex(readPathOf(file));
      const index =
        storedIndex?.source === source ? storedIndex : mustRead ? await rereadPackage(file) : undefined;
      if (!index) return;
      const twin = [...statesByFile].find(
        ([, fileState]) => fileState && 'read' in fileState && isSame(fileState.read.index, index),
      );
      if (twin) throw new PackageError(messages.same({ file: twin[0] }));
      statesByFile.set(file, { read: { path: readPathOf(file), index } });
    } catch (error) {
      if (!(error instanceof PackageError))
        log(`a package was not read: ${formatErrorCode(error)}; /app/packages names it`);
      statesByFile.set(file, {
        problem: error instanceof PackageError ? error.message : messages.unreadable().text,
      });
    }
  }

  async function rereadPackage(file: string): Promise<PackageIndex> {
    makeFolders();
    const target = join(readFiles, passing + randomUUID());
    try {
      const index = await readPackageInWorker(pathOf(file), target);
      await rename(target, readPathOf(file));
      return index;
    } finally {
      await rm(target, { force: true });
    }
  }

  /** Removes temporary files, including the files of a running upload. */
  async function sweep(): Promise<void> {
    const temporaryFiles = namesIn(folder).filter((name) => name.startsWith(passing));
    for (const name of temporaryFiles) await remove(pathOf(name));
  }

  /** Drops removed files, and accepts files that were read before. */
  async function survey(): Promise<void> {
    const files = namesIn(folder).filter((name) => !name.startsWith('.'));
    const currentPaths = new Set(files.map(readPathOf));
    const readBefore = namesIn(readFiles).map((name) => join(readFiles, name));
    for (const path of readBefore.filter((readPath) => !currentPaths.has(readPath))) await remove(path);
    statesByFile.clear();
    for (const [file, problem] of mirror?.problems() ?? []) statesByFile.set(file, { problem });
    for (const [fileIndex, file] of files.entries()) {
      const isOverLimit = fileIndex >= packageLimits.packages;
      statesByFile.set(
        file,
        isOverLimit ? { problem: messages.many({ most: packageLimits.packages }).text } : undefined,
      );
    }
    for (const file of listUnread()) {
      if (await restrictToOwner(pathOf(file))) await takeIn(file, false);
      else statesByFile.set(file, { problem: messages.link().text });
    }
    refresh();
  }

  async function readRemaining(): Promise<void> {
    for (const file of listUnread()) await takeIn(file, true);
    refresh();
  }

  /** Applies the changes of other servers. */
  async function takeOver(): Promise<void> {
    if (!(await mirror?.pull())) return;
    await survey();
    await readRemaining();
  }

  const listUnread = (): string[] =>
    [...statesByFile].flatMap(([file, state]) => (state === undefined ? [file] : []));

  /**
   * Adds the upload at {@link Packages.incoming}. The same package again changes nothing.
   *
   * @throws FhirError `content` with the reason of a rejection; `exists` if the package exists with other
   *   content; `business-rule` if there are too many.
   */
  async function add(
    received: string,
  ): Promise<{ readonly installedPackage: InstalledPackage; readonly isNew: boolean }> {
    const target = join(readFiles, passing + randomUUID());
    try {
      await takeOver();
      const index = await readPackageInWorker(received, target).catch(refuse);
      const duplicate = listRead().find((readPackage) => isSame(readPackage.index, index));
      if (duplicate) {
        if (duplicate.index.sha256 !== index.sha256) throw createExistsError(index);
        return { installedPackage: await tell(fileOf(duplicate), duplicate), isNew: false };
      }
      if (statesByFile.size >= packageLimits.packages) throw createTooManyError();
      const file = `${index.name}-${index.version}${await endingOf(received)}`;
      if (statesByFile.has(file)) throw createExistsError(index);
      await mirror?.add({ file, name: index.name, version: index.version }, received);
      // The rename makes it permanent: a restart rebuilds everything else.
      await rename(target, readPathOf(file));
      if (statSync(received).isFile()) syncFile(received);
      await rename(received, pathOf(file));
      syncFolder(folder);
      const newPackage = { path: readPathOf(file), index };
      statesByFile.set(file, { read: newPackage });
      refresh();
      return { installedPackage: await tell(file, newPackage), isNew: true };
    } finally {
      for (const path of [received, target]) await rm(path, { recursive: true, force: true });
    }
  }

  /** Returns true if the file existed. */
  async function removeFile(file: string): Promise<boolean> {
    await takeOver();
    if (!statesByFile.has(file)) return false;
    await mirror?.remove(file);
    // In one step, as a folder goes file by file.
    const temporaryPath = pathOf(passing + randomUUID());
    await rename(pathOf(file), temporaryPath).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    syncFolder(folder);
    statesByFile.delete(file);
    refresh();
    for (const path of [temporaryPath, readPathOf(file)]) await remove(path);
    return true;
  }

  /** Applies changes of other servers after the current work. Errors are retried later. */
  const follow = (): void => void inTurn(takeOver).catch(() => undefined);

  const fileOf = (readPackage: ReadPackage): string =>
    [...statesByFile].find(([, state]) => state && 'read' in state && state.read === readPackage)?.[0] ?? '';
  const tell = async (file: string, readPackage: ReadPackage) =>
    describe(file, readPackage, listRead(), catalogue, await ownDefinitions());

  return {
    /** The definitions at hand now. */
    set: (): ConformanceSet => set,

    onChange(onDefinitions: (set: ConformanceSet) => void): void {
      listener = onDefinitions;
    },

    async list(): Promise<PackageList> {
      const rows = [...statesByFile].map(async ([file, state]) => {
        if (state === undefined) return { file, state: 'reading' as const };
        return 'problem' in state
          ? { file, state: 'refused' as const, problem: state.problem }
          : await tell(file, state.read);
      });
      const packages = await Promise.all(rows);
      packages.sort((a, b) => a.file.localeCompare(b.file, 'en', { numeric: true }));
      return { ...(!mirror && { folder }), packages };
    },

    /** Accepts packages that were read before and reads new ones in the background. */
    async begin(): Promise<void> {
      await inTurn(async () => {
        await sweep();
        await mirror?.pull();
        await survey();
      });
      void inTurn(readRemaining);
      mirror?.onChange(follow);
    },
    /** Reads the folder again and completes all reads. */
    look: () =>
      inTurn(async () => {
        await sweep();
        await mirror?.pull();
        await survey();
        await readRemaining();
      }),
    follow,

    /** Returns a path for an upload. The caller removes the file or passes it to `add`. */
    incoming(): string {
      makeFolders();
      return pathOf(passing + randomUUID());
    },
    add: (received: string) => inTurn(() => add(received)),
    remove: (file: string) => inTurn(() => removeFile(file)),

    /** Resolves when the current work has finished. */
    close: (): Promise<void> => inTurn(() => undefined),
  };
}

function isSame(index: PackageIndex, otherIndex: PackageIndex): boolean {
  return index.name.toLowerCase() === otherIndex.name.toLowerCase() && index.version === otherIndex.version;
}

/** Converts a rejected package to a rejected request. */
function refuse(error: unknown): never {
  if (error instanceof PackageError) throw new FhirError('content', error.sentence);
  throw error;
}

function createExistsError({ name, version }: PackageIndex): FhirError {
  return new FhirError('exists', messages.installed({ name, version }));
}

function createTooManyError(): FhirError {
  return new FhirError('business-rule', messages.manyToAdd({ most: packageLimits.packages }));
}
