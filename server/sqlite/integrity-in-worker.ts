import { statSync } from 'node:fs';
import type { Comparison } from '../../core/app/backups.ts';
import { ThreadError, threadFile, ThreadPool } from '../threads/thread-pool.ts';
import { DataFolderError } from './data-folder-error.ts';
import { verifyCopy } from './inspect-copy.ts';
import type { IntegrityReport } from './integrity.ts';
import type { IntegrityHandlers } from './integrity-worker.ts';

const pool = new ThreadPool<IntegrityHandlers>(threadFile(import.meta, 'integrity-worker'), {
  threads: Infinity,
  idleMs: 0,
  errorClasses: { DataFolderError },
});

/** Bytes of the largest file that this thread verifies: in at most 20 ms, while a thread takes 80 to start. */
const maxBytesHere = 4 * 1024 * 1024;

/**
 * Verifies a copy and its texts. A large file takes minutes, therefore a worker thread verifies it, and requests are
 * answered meanwhile. Verifies in this thread if the file is small or no thread can start.
 *
 * @throws DataFolderError as `verifyDatabase` does.
 */
export async function verifyInWorker(
  path: string,
  options: Partial<IntegrityReport> = {},
): Promise<Comparison | null> {
  const request: IntegrityReport = { closed: false, ...options };
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size <= maxBytesHere) return verifyCopy(path, request);
  try {
    return await pool.ask('verifyCopy', [path, request]);
  } catch (error) {
    if (error instanceof ThreadError) return verifyCopy(path, request);
    throw error;
  }
}
