import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { HeldPackage, PackageList } from '../../core/app/packages.ts';
import { noConformance, type ConformanceSet } from '../../core/fhir/profiles/conformance.ts';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { SharedArchives } from '../store/shared-archives.ts';
import { codeOf } from '../store/store-error.ts';
import { syncFile, syncFolder } from '../store/sqlite/sync.ts';
import { turns } from '../store/turns.ts';
import { Catalogue, conformanceOf, definitionsIn, type ReadPackage } from './conformance-set.ts';
import { readIndex, type PackageIndex } from './definitions-file.ts';
import { describe } from './describe.ts';
import { closeToOthers, endingOf, namesIn, passing, remove } from './files.ts';
import { packageLimits, PackageFault } from './limits.ts';
import { mirrorOf } from './mirror.ts';
import { ownDefinitions } from './own-definitions.ts';
import { readBeside } from './read-beside.ts';
import { sourceOf } from './read-package.ts';

export interface PackagesParts {
  readonly dataDir: string;
  readonly log: (line: string) => void;
  /** Those of all servers of a store; absent where the folder's are this server's own. */
  readonly shared?: SharedArchives;
}

/** The folders of packages, below the data folder: that of a server of its own, and that of one that shares them. */
export const packageFolders = { own: 'packages', shared: 'shared-packages' };

export type Packages = ReturnType<typeof createPackages>;

const tooManyText = `No more than ${packageLimits.packages} packages are held.`;

/** What lies in the folder, as far as it is known. */
type Known = { readonly read: ReadPackage } | { readonly problem: string } | undefined;

/**
 * The packages of a data folder, which mirrors those of all servers where they are shared. Nothing is known before {@link Packages.begin}; changes come one behind the
 * other, so that none meets another.
 */
export function createPackages({ dataDir, log, shared }: PackagesParts) {
  const folder = join(dataDir, packageFolders[shared ? 'shared' : 'own']);
  const readFiles = definitionsIn(folder);
  const known = new Map<string, Known>();
  let listener: (set: ConformanceSet) => void = () => undefined;
  let catalogue = new Catalogue([]);
  let set: ConformanceSet = noConformance;
  const inTurn = turns();
  const mirror = shared && mirrorOf({ shared, folder, makeFolder: makeFolders, log });

  const pathOf = (file: string) => join(folder, file);
  const readPathOf = (file: string) => join(readFiles, `${file}.definitions`);
  const held = (): ReadPackage[] =>
    [...known.values()].flatMap((one) => (one && 'read' in one ? [one.read] : []));

  /** The definitions at hand are others. */
  function refresh(): void {
    const next = new Catalogue(held());
    const changed = next.stamp !== catalogue.stamp;
    catalogue = next;
    if (!changed) return;
    set = next.stamp === '' ? noConformance : conformanceOf(next);
    listener(set);
  }

  function makeFolders(): void {
    for (const one of [folder, readFiles]) mkdirSync(one, { recursive: true, mode: 0o700 });
  }

  /** Takes in what lies in the folder: at once what was read before and still holds, or by reading it. */
  async function takeIn(file: string, anew: boolean): Promise<void> {
    try {
      const source = await sourceOf(pathOf(file));
      const kept = readIndex(readPathOf(file));
      const index = kept?.source === source ? kept : anew ? await readAnew(file) : undefined;
      if (!index) return;
      const twin = [...known].find(([, one]) => one && 'read' in one && isSame(one.read.index, index));
      if (twin) throw new PackageFault(`It is the same package as ${twin[0]}.`);
      known.set(file, { read: { path: readPathOf(file), index } });
    } catch (error) {
      if (!(error instanceof PackageFault))
        log(`a package was not read: ${codeOf(error) || 'unknown'}; /app/packages names it`);
      known.set(file, {
        problem: error instanceof PackageFault ? error.message : 'The file could not be read.',
      });
    }
  }

  async function readAnew(file: string): Promise<PackageIndex> {
    makeFolders();
    const target = join(readFiles, passing + randomUUID());
    try {
      const index = await readBeside({ path: pathOf(file), target });
      await rename(target, readPathOf(file));
      return index;
    } finally {
      await rm(target, { force: true });
    }
  }

  /** Removes what is nobody's; what is being received now, too. */
  async function sweep(): Promise<void> {
    const passed = namesIn(folder).filter((name) => name.startsWith(passing));
    for (const name of passed) await remove(pathOf(name));
  }

  /** Forgets what is gone, and takes in what was read before. */
  async function survey(): Promise<void> {
    const files = namesIn(folder).filter((name) => !name.startsWith('.'));
    const kept = new Set(files.map(readPathOf));
    const readBefore = namesIn(readFiles).map((name) => join(readFiles, name));
    for (const path of readBefore.filter((one) => !kept.has(one))) await remove(path);
    known.clear();
    for (const [file, problem] of mirror?.problems() ?? []) known.set(file, { problem });
    for (const [place, file] of files.entries()) {
      const many = place >= packageLimits.packages;
      known.set(file, many ? { problem: tooManyText } : undefined);
    }
    for (const file of unread()) {
      if (await closeToOthers(pathOf(file))) await takeIn(file, false);
      else known.set(file, { problem: 'It is a link; copy the package itself.' });
    }
    refresh();
  }

  async function readTheRest(): Promise<void> {
    for (const file of unread()) await takeIn(file, true);
    refresh();
  }

  /** Takes over what other servers added and removed. */
  async function takeOver(): Promise<void> {
    if (!(await mirror?.pull())) return;
    await survey();
    await readTheRest();
  }

  const unread = (): string[] => [...known].flatMap(([file, one]) => (one === undefined ? [file] : []));

  /**
   * Takes what was received at {@link Packages.incoming} in; the same package again changes nothing.
   *
   * @throws FhirError `content` with the sentence why it is not taken, `exists` where the package is here with other
   * content, `business-rule` where there are too many.
   */
  async function add(received: string): Promise<{ readonly added: HeldPackage; readonly isNew: boolean }> {
    const target = join(readFiles, passing + randomUUID());
    try {
      await takeOver();
      const index = await readBeside({ path: received, target }).catch(refuse);
      const same = held().find((one) => isSame(one.index, index));
      if (same) {
        if (same.index.sha256 !== index.sha256) throw alreadyHere(index);
        return { added: await tell(fileOf(same), same), isNew: false };
      }
      if (known.size >= packageLimits.packages) throw tooMany();
      const file = `${index.name}-${index.version}${await endingOf(received)}`;
      if (known.has(file)) throw alreadyHere(index);
      await mirror?.add({ file, name: index.name, version: index.version }, received);
      // From the moment in which it has its name, it is there: a start makes the rest anew.
      await rename(target, readPathOf(file));
      if (statSync(received).isFile()) syncFile(received);
      await rename(received, pathOf(file));
      syncFolder(folder);
      const read = { path: readPathOf(file), index };
      known.set(file, { read });
      refresh();
      return { added: await tell(file, read), isNew: true };
    } finally {
      for (const path of [received, target]) await rm(path, { recursive: true, force: true });
    }
  }

  /** Whether there was one. */
  async function removeFile(file: string): Promise<boolean> {
    await takeOver();
    if (!known.has(file)) return false;
    await mirror?.remove(file);
    // In one step, as a folder goes file by file.
    const gone = pathOf(passing + randomUUID());
    await rename(pathOf(file), gone).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    syncFolder(folder);
    known.delete(file);
    refresh();
    for (const path of [gone, readPathOf(file)]) await remove(path);
    return true;
  }

  /** Takes over what other servers did, once what is under way is done; what cannot be now is taken over later. */
  const follow = (): void => void inTurn(takeOver).catch(() => undefined);

  const fileOf = (read: ReadPackage): string =>
    [...known].find(([, one]) => one && 'read' in one && one.read === read)?.[0] ?? '';
  const tell = async (file: string, read: ReadPackage) =>
    describe(file, read, held(), catalogue, await ownDefinitions());

  return {
    /** The definitions at hand now. */
    set: (): ConformanceSet => set,

    /** Called with the definitions whenever they are others. */
    onChange(told: (set: ConformanceSet) => void): void {
      listener = told;
    },

    async list(): Promise<PackageList> {
      const rows = [...known].map(async ([file, one]) => {
        if (one === undefined) return { file, state: 'reading' as const };
        return 'problem' in one
          ? { file, state: 'refused' as const, problem: one.problem }
          : await tell(file, one.read);
      });
      const packages = await Promise.all(rows);
      packages.sort((one, other) => one.file.localeCompare(other.file, 'en', { numeric: true }));
      return { ...(!shared && { folder }), packages };
    },

    /** Takes in what was read before; what is new is read behind it. */
    async begin(): Promise<void> {
      await inTurn(async () => {
        await sweep();
        await mirror?.pull();
        await survey();
      });
      void inTurn(readTheRest);
      shared?.onChange(follow);
    },
    /** Looks anew at what lies in the folder, and reads it to the end. */
    look: () =>
      inTurn(async () => {
        await sweep();
        await mirror?.pull();
        await survey();
        await readTheRest();
      }),
    follow,

    /** A path at which a package is to be received; whoever asks removes what is there, or hands it to `add`. */
    incoming(): string {
      makeFolders();
      return pathOf(passing + randomUUID());
    },
    add: (received: string) => inTurn(() => add(received)),
    remove: (file: string) => inTurn(() => removeFile(file)),

    /** Once what is under way has come to its end. */
    close: (): Promise<void> => inTurn(() => undefined),
  };
}

function isSame(one: PackageIndex, other: PackageIndex): boolean {
  return one.name.toLowerCase() === other.name.toLowerCase() && one.version === other.version;
}

/** A package that is not taken refuses the request. */
function refuse(error: unknown): never {
  if (error instanceof PackageFault) throw new FhirError('content', { text: error.message });
  throw error;
}

function alreadyHere({ name, version }: PackageIndex): FhirError {
  return new FhirError('exists', {
    text: `${name} ${version} is here already, with other content. Remove it first.`,
  });
}

function tooMany(): FhirError {
  return new FhirError('business-rule', { text: `${tooManyText} Remove one first.` });
}
