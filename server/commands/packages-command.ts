/** `chartkeeper packages`: adds, lists and removes FHIR packages of a shared store or an unused data folder. */
import { copyFile, cp, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FhirError } from '../../core/fhir/outcome.ts';
import type { PackageList } from '../../core/app/packages.ts';
import { loadSharedCommands, withWorkspace, type CommandTarget } from './command-place.ts';
import { createPackages, type Packages, type PackagesParts } from '../packages/packages.ts';

/** Adds packages and prints each result. Returns true if no package was rejected. */
export function addPackages(target: CommandTarget, files: readonly string[]): Promise<boolean> {
  return withPackages(target, async (packages) => {
    let isClean = true;
    for (const file of files) {
      const incomingFile = packages.incoming();
      await copy(resolve(file), incomingFile);
      try {
        const { installedPackage: packageItem, isNew } = await packages.add(incomingFile);
        const outcome = isNew ? 'added' : 'already installed';
        process.stdout.write(
          `${file}: ${packageItem.name} ${packageItem.version} ${outcome}, as ${packageItem.file}.\n`,
        );
      } catch (error) {
        if (!(error instanceof FhirError)) throw error;
        isClean = false;
        process.stdout.write(`${file}: refused. ${error.message}\n`);
      }
    }
    return isClean;
  });
}

/** Prints each package and its missing dependencies. */
export function listPackages(target: CommandTarget): Promise<void> {
  return withPackages(target, async (packages) => {
    const { packages: list } = await packages.list();
    if (list.length === 0) process.stdout.write('No packages.\n');
    for (const packageItem of list) process.stdout.write(formatPackage(packageItem).join('\n  ') + '\n');
  });
}

/** Removes a package. @throws Error if there is no such package. */
export function removePackage(target: CommandTarget, file: string): Promise<void> {
  return withPackages(target, async (packages) => {
    if (!(await packages.remove(file))) throw new Error(`There is no package ${file}.`);
    process.stdout.write(`${file} removed.\n`);
  });
}

function formatPackage(packageItem: PackageList['packages'][number]): string[] {
  if (packageItem.state !== 'held')
    return [`${packageItem.file}  not used. ${packageItem.problem ?? ''}`.trimEnd()];
  const missingDependencies = packageItem.dependencies.filter(
    ({ state }) => state === 'lacking' || state === 'other',
  );
  return [
    `${packageItem.file}  ${packageItem.title}`,
    ...packageItem.profiles.map(({ type, url, version }) => `profile of ${type}: ${url}|${version}`),
    ...missingDependencies.map(({ name, version }) => `needs ${name} ${version}, which is not installed`),
    ...packageItem.notes,
  ];
}

async function copy(from: string, to: string): Promise<void> {
  if ((await stat(from)).isDirectory()) await cp(from, to, { recursive: true });
  else await copyFile(from, to);
}

async function withPackages<Result>(
  target: CommandTarget,
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
  if ('address' in target) return (await loadSharedCommands()).runWithPackages(target.address, work);
  // The workspace holds the lock of the folder, so no server changes the packages meanwhile.
  return withWorkspace(target.dataDir, () => work(target));
}

type Work<Result> = (parts: Omit<PackagesParts, 'log'>) => Promise<Result>;
