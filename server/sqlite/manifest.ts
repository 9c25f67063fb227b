/**
 * Reads and writes the manifest next to each backup of the records: the number of texts compared with their checksums,
 * and the damaged ones. A backup without a manifest was not compared.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Comparison } from '../../core/app/backups.ts';
import { parseAs } from '../../core/json/shape.ts';
import { syncFile } from './sync.ts';

/** Returns the path of the manifest of a backup. */
export function manifestOf(backup: string): string {
  return `${backup}.json`;
}

/** Writes the manifest of a backup. It is on the disk before the backup gets its name. */
export function writeManifest(backup: string, comparison: Comparison | null): void {
  if (!comparison) return;
  const path = manifestOf(backup);
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  writeFileSync(path, `${JSON.stringify(comparison)}\n`);
  syncFile(path);
}

/** Reads the manifest of a backup. Returns null if there is none or it can't be read. */
export function readManifest(backup: string): Comparison | null {
  const path = manifestOf(backup);
  // A pipe in its place would never answer.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  return parseAs(Comparison, readFileSync(path, 'utf8')) ?? null;
}

/** Reads the manifest asynchronously, for a folder that may be slow. */
export async function manifestIn(backup: string): Promise<Comparison | null> {
  const text = await readFile(manifestOf(backup), 'utf8').catch(() => '');
  return parseAs(Comparison, text) ?? null;
}
