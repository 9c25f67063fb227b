import type { Comparison } from '../../../core/app/backups.ts';
import { compareTexts } from './compare.ts';
import { DataFolderError } from './data-folder-error.ts';
import { fault, faultOf, inspect, inspectBytes, type Inspection } from './inspect.ts';
import { connect } from './sqlite.ts';

/**
 * Inspects a copy of a database, compares its texts, and takes it out of WAL mode: reading it would leave two files
 * beside it.
 *
 * @throws DataFolderError as `inspect` does.
 */
export function inspectCopy(path: string, inspection: Inspection): Comparison | null {
  inspectBytes(path);
  try {
    leaveWalMode(path);
    inspect(path, inspection);
    return compareTexts(path);
  } catch (error) {
    throw error instanceof DataFolderError ? error : fault(faultOf(error), path, error);
  }
}

/** Carries a file's log over into it, where it has one. */
export function leaveWalMode(path: string): void {
  const database = connect(path);
  try {
    database.pragma('journal_mode = DELETE');
  } finally {
    database.close();
  }
}
