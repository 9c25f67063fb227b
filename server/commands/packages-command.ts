/** `chartkeeper packages`: adds, lists and removes the FHIR packages of a data folder that no server holds, or of a shared store. */
import { copyFile, cp, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { PackageList } from '../../core/app/packages.ts';
import { withStore, withWorkspace, type CommandTarget } from './command-place.ts';
import { createPackages, type Packages, type PackagesParts } from '../packages/packages.ts';

/** Adds packages, and prints what became of each; answers whether none was refused. */
export function addPackages(place: CommandTarget, files: readonly string[]): Promise<boolean> {
  return withPackages(place, async (packages) => {
    let clean = true;
    for (const file of files) {
      const received = packages.incoming();
      await copy(resolve(file), received);
      try {
        const { added, isNew } = await packages.add(received);
        const done = isNew ? 'added' : 'already installed';
        process.stdout.write(`${file}: ${added.name} ${added.version} ${done}, as ${added.file}.\n`);
      } catch (error) {
        if (!(error instanceof FhirError)) throw error;
        clean = false;
        process.stdout.write(`${file}: refused. ${error.message}\n`);
      }
    }
    return clean;
  });
}

/** Prints a line for each package, and below it what it needs and is not there. */
export function listPackages(place: CommandTarget): Promise<void> {
  return withPackages(place, async (packages) => {
    const { packages: list } = await packages.list();
    if (list.length === 0) process.stdout.write('No packages.\n');
    for (const one of list) process.stdout.write(linesOf(one).join('\n  ') + '\n');
  });
}

/** @throws Error where there is no such package. */
export function removePackage(place: CommandTarget, file: string): Promise<void> {
  return withPackages(place, async (packages) => {
    if (!(await packages.remove(file))) throw new Error(`There is no package ${file}.`);
    process.stdout.write(`${file} removed.\n`);
  });
}

function linesOf(one: PackageList['packages'][number]): string[] {
  if (one.state !== 'held') return [`${one.file}  not used. ${one.problem ?? ''}`.trimEnd()];
  const lacking = one.dependencies.filter(({ state }) => state === 'lacking' || state === 'other');
  return [
    `${one.file}  ${one.title}`,
    ...one.profiles.map(({ type, url, version }) => `profile of ${type}: ${url}|${version}`),
    ...lacking.map(({ name, version }) => `needs ${name} ${version}, which is not installed`),
    ...one.notes,
  ];
}

async function copy(from: string, to: string): Promise<void> {
  if ((await stat(from)).isDirectory()) await cp(from, to, { recursive: true });
  else await copyFile(from, to);
}

async function withPackages<Result>(
  place: CommandTarget,
  use: (packages: Packages) => Promise<Result>,
): Promise<Result> {
  const work: Work<Result> = async (parts) => {
    const packages = createPackages({ ...parts, log: (line) => void process.stderr.write(`${line}\n`) });
    try {
      await packages.look();
      return await use(packages);
    } finally {
      await packages.close();
    }
  };
  if ('address' in place) return inStore(place.address, work);
  // With the folder's lock, which the workspace holds: no server changes the packages meanwhile.
  return withWorkspace(place.dataDir, () => work(place));
}

type Work<Result> = (parts: Omit<PackagesParts, 'log'>) => Promise<Result>;

/** In a folder that goes again: servers have their own. */
async function inStore<Result>(address: string, work: Work<Result>): Promise<Result> {
  return withStore(address, async ({ archives }) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'chartkeeper-packages-'));
    try {
      return await work({ dataDir, shared: archives });
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}
