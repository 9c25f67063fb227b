import type { Comparison } from '../../core/app/backups.ts';
import { compareTexts } from './compare.ts';
import { verifyDatabase, inspectBytes, mapFileErrors, type IntegrityReport } from './integrity.ts';
import { closing, connect } from './sqlite.ts';

/**
 * Verifies a copy of a database and its texts. Turns WAL mode off, because a read would leave two extra files.
 *
 * @throws DataFolderError as `verifyDatabase` does.
 */
export function verifyCopy(path: string, inspection: IntegrityReport): Comparison | null {
  inspectBytes(path);
  return mapFileErrors(path, () => {
    leaveWalMode(path);
    verifyDatabase(path, inspection);
    return compareTexts(path);
  });
}

/** Checkpoints the WAL of a file, if there is one, and leaves WAL mode. */
export function leaveWalMode(path: string): void {
  closing(connect(path), (database) => database.pragma('journal_mode = DELETE'));
}
