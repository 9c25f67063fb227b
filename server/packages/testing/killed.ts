/** Packages in a data folder, and what is left of them where the process ends in the middle of a change. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import { createPackages } from '../packages.ts';
import { packageFiles, tgzOf } from './make-package.ts';

/** The name of {@link packageFiles} in the folder. */
export const file = 'ward.example.plans-1.2.0.tgz';

export type Opened = ReturnType<typeof openPackages>;

export function openPackages(dataDir: string) {
  const lines: string[] = [];
  return { lines, packages: createPackages({ dataDir, log: (line) => void lines.push(line) }) };
}

export async function addTo({ packages }: Opened, more: object = {}) {
  const received = packages.incoming();
  writeFileSync(received, await tgzOf(packageFiles(more)));
  return packages.add(received);
}

export async function names({ packages }: Opened): Promise<(readonly [file: string, state: string])[]> {
  return (await packages.list()).packages.map((one) => [one.file, one.state]);
}

/**
 * Ends an add, or a removal, at a step of the file system; what is found then is what was before, or comes after, and
 * nothing else. Whether it came to its end.
 */
export async function killAt(dataDir: string, step: number, task: 'add' | 'remove'): Promise<boolean> {
  const before = openPackages(dataDir);
  await addTo(before, { name: 'held.before' });
  const source = join(dataDir, 'source.tgz');
  writeFileSync(source, await tgzOf());
  if (task === 'remove') await addTo(before);
  const program = resolve(import.meta.dirname, 'killed-add.ts');
  const given = [dataDir, task === 'add' ? source : file, String(step), task];
  const { status, signal } = spawnSync(process.execPath, [program, ...given]);
  expect([status, signal]).toEqual(status === 0 ? [0, null] : [null, 'SIGKILL']);

  const after = openPackages(dataDir);
  await after.packages.look();
  const all = [
    ['held.before-1.2.0.tgz', 'held'],
    [file, 'held'],
  ];
  expect([all, all.slice(0, 1)]).toContainEqual(await names(after));
  const left = readdirSync(join(dataDir, 'packages'), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => name.includes('passing'))).toEqual([]);
  expect(left).toHaveLength(1 + 2 * (await names(after)).length);
  expect(after.lines).toEqual([]);
  return status === 0;
}
