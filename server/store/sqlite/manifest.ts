/**
 * What stands beside each backup of the records: how many texts were compared with their SHA-256 when it was made, and
 * which of them are damaged. A backup without one was compared by nobody.
 */
import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Comparison } from '../../../core/app/backups.ts';
import { parseAs } from '../../../core/json/shape.ts';
import { syncFile } from './sync.ts';

/** Path of a backup's manifest. */
export function manifestOf(backup: string): string {
  return `${backup}.json`;
}

/** Writes the manifest of a backup, on the disk before the backup bears its name. */
export function writeManifest(backup: string, compared: Comparison | null): void {
  if (!compared) return;
  const path = manifestOf(backup);
  rmSync(path, { force: true });
  closeSync(openSync(path, 'wx', 0o600));
  writeFileSync(path, `${JSON.stringify(compared)}\n`);
  syncFile(path);
}

/** What a backup says of itself; null where it says nothing that can be read. */
export function readManifest(backup: string): Comparison | null {
  const path = manifestOf(backup);
  // A pipe in its place would never answer.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return null;
  return parseAs(Comparison, readFileSync(path, 'utf8')) ?? null;
}

/** The same beside other work, for a folder that may be slow. */
export async function manifestIn(backup: string): Promise<Comparison | null> {
  const text = await readFile(manifestOf(backup), 'utf8').catch(() => '');
  return parseAs(Comparison, text) ?? null;
}
