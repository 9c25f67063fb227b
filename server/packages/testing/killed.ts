/** Packages in a data folder after the process is killed during a change. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { createPackages } from '../packages.ts';
import { packageFiles, tgzOf } from './make-package.ts';

/** The name of {@link packageFiles} in the folder. */
export const file = 'ward.example.plans-1.2.0.tgz';

export type OpenPackages = ReturnType<typeof openPackages>;

export function openPackages(dataDir: string) {
  const lines: string[] = [];
  return { lines, packages: createPackages({ dataDir, log: (line) => void lines.push(line) }) };
}

export async function addTo({ packages }: OpenPackages, manifestChanges: object = {}) {
  const received = packages.incoming();
  writeFileSync(received, await tgzOf(packageFiles(manifestChanges)));
  return packages.add(received);
}

export async function names({ packages }: OpenPackages): Promise<(readonly [file: string, state: string])[]> {
  return (await packages.list()).packages.map((installedPackage) => [
    installedPackage.file,
    installedPackage.state,
  ]);
}

/**
 * Kills an add or a removal at a step of the file system. Asserts that the packages are those before or
 * after it. Returns true if it completed.
 */
export async function killAt(dataDir: string, step: number, task: 'add' | 'remove'): Promise<boolean> {
  const before = openPackages(dataDir);
  await addTo(before, { name: 'held.before' });
  const source = join(dataDir, 'source.tgz');
  writeFileSync(source, await tgzOf());
  if (task === 'remove') await addTo(before);
  const program = resolve(import.meta.dirname, 'killed-add.ts');
  const processArguments = [dataDir, task === 'add' ? source : file, String(step), task];
  const { status, signal } = spawnSync(process.execPath, [program, ...processArguments]);
  expect([status, signal]).toEqual(status === 0 ? [0, null] : [null, 'SIGKILL']);

  const after = openPackages(dataDir);
  await after.packages.look();
  const allowedStates = [
    ['held.before-1.2.0.tgz', 'held'],
    [file, 'held'],
  ];
  expect([allowedStates, allowedStates.slice(0, 1)]).toContainEqual(await names(after));
  const remainingFiles = readdirSync(join(dataDir, 'packages'), { recursive: true, encoding: 'utf8' });
  expect(remainingFiles.filter((name) => name.includes('passing'))).toEqual([]);
  expect(remainingFiles).toHaveLength(1 + 2 * (await names(after)).length);
  expect(after.lines).toEqual([]);
  return status === 0;
}
