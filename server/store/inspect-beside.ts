import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DataFolderError, isFolderFault } from './data-folder-error.ts';
import type { Inspection } from './inspect.ts';

/** What the thread is given. */
export interface InspectionOrder extends Inspection {
  readonly path: string;
}

/** What the thread answers; nothing where the file is good. */
export interface InspectionReport {
  readonly fault?: string;
  readonly message?: string;
}

const thread = resolve(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? './inspect-thread.ts' : './inspect-thread.js',
);

/**
 * Inspects a whole file that no one else has open, in a thread of its own: a large one takes minutes, and other
 * requests are answered meanwhile. Its log, where it has one, is carried over first.
 *
 * @throws DataFolderError as `inspect` does.
 */
export async function inspectBeside(path: string, inspection: Partial<Inspection> = {}): Promise<void> {
  const order: InspectionOrder = { closed: false, ...inspection, path };
  const worker = new Worker(thread, { workerData: order });
  const { fault, message } = await new Promise<InspectionReport>((answer, reject) => {
    worker.once('message', answer);
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The check of a file ended without an answer.')));
  });
  if (message !== undefined) throw new DataFolderError(isFolderFault(fault) ? fault : 'unusable', message);
}
