import type { Comparison } from '../../../core/app/backups.ts';
import { compareTexts } from './compare.ts';
import { inspect, inspectBytes, telling, type Inspection } from './inspect.ts';
import { closing, connect } from './sqlite.ts';

/**
 * Inspects a copy of a database, compares its texts, and takes it out of WAL mode: reading it would leave two files
 * beside it.
 *
 * @throws DataFolderError as `inspect` does.
 */
export function inspectCopy(path: string, inspection: Inspection): Comparison | null {
  inspectBytes(path);
  return telling(path, () => {
    leaveWalMode(path);
    inspect(path, inspection);
    return compareTexts(path);
  });
}

/** Carries a file's log over into it, where it has one. */
export function leaveWalMode(path: string): void {
  closing(connect(path), (database) => database.pragma('journal_mode = DELETE'));
}
