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

/**
 * Verifies a copy and its texts in a worker thread. A large file takes minutes, and requests are answered meanwhile. If
 * no thread can start, verifies in this thread.
 *
 * @throws DataFolderError as `verifyDatabase` does.
 */
export async function verifyInWorker(
  path: string,
  options: Partial<IntegrityReport> = {},
): Promise<Comparison | null> {
  const request: IntegrityReport = { closed: false, ...options };
  try {
    return await pool.ask('verifyCopy', [path, request]);
  } catch (error) {
    if (error instanceof ThreadError) return verifyCopy(path, request);
    throw error;
  }
}
