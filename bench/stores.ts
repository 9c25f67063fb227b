import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fill } from './processes.ts';

/** What is to be undone at the end, last first. */
export type Cleanup = (() => Promise<void>)[];

/** Two stores with the same records: ours and the bare handler's. */
export interface FilledStores {
  readonly records: number;
  readonly dataDir: string;
  /** File of a sample of the records. */
  readonly sample: string;
}

/** The folder that stores are kept in: the one that is given, else one that is removed at the end. */
export async function storesFolder(given: string | undefined, cleanup: Cleanup): Promise<string> {
  if (given !== undefined) return given;
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-bench-'));
  cleanup.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Fills both stores, where they are not there from a run before. */
export async function filledStores(
  folder: string,
  records: number,
  seed: number,
  log: (line: string) => void,
): Promise<FilledStores> {
  const dataDir = join(folder, String(records));
  const sample = join(folder, `${records}.ndjson`);
  const filled = join(folder, `${records}.filled`);
  if (!existsSync(filled)) {
    await rm(dataDir, { recursive: true, force: true });
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    log(`Filling two stores with ${records} records…`);
    await Promise.all([
      fill({ kind: 'ours', data: dataDir, records, seed, sample }),
      fill({ kind: 'bare', data: dataDir, records, seed }),
    ]);
    await writeFile(filled, '');
  }
  return { records, dataDir, sample };
}
