import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill } from './processes.ts';

/** Steps to undo at the end, last first. */
export type CleanupSteps = (() => Promise<void>)[];

/** Two stores with the same records: Chartkeeper's store and the store of the bare handler. */
export interface FilledStores {
  readonly records: number;
  readonly dataDir: string;
  /** File of a sample of the records. */
  readonly sample: string;
}

/** Returns the folder of the stores: the given one, otherwise a temporary one. */
export async function getStoresFolder(
  requestedFolder: string | undefined,
  cleanupSteps: CleanupSteps,
): Promise<string> {
  if (requestedFolder !== undefined) return requestedFolder;
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bench-'));
  cleanupSteps.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Fills both stores unless an earlier run has filled them. */
export async function fillStores(
  folder: string,
  records: number,
  seed: number,
  log: (line: string) => void,
): Promise<FilledStores> {
  const dataDir = join(folder, String(records));
  const sample = join(folder, `${records}.ndjson`);
  const markerFile = join(folder, `${records}.filled`);
  if (!existsSync(markerFile)) {
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    log(`Filling two stores with ${records} records…`);
    await Promise.all([
      fill({ kind: 'ours', data: dataDir, records, seed, sample }),
      fill({ kind: 'bare', data: dataDir, records, seed }),
    ]);
    await writeFile(markerFile, '');
  }
  return { records, dataDir, sample };
}
