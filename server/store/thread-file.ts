import { resolve } from 'node:path';
import { codeOf } from './store-error.ts';

/** The file that a thread is started by, beside the module of this `meta`: of the sources, or of what is built of them. */
export function threadFile({ dirname, filename }: ImportMeta, name: string): string {
  return resolve(dirname, `${name}.${filename.endsWith('.ts') ? 'ts' : 'js'}`);
}

/** Whether a thread ended because the memory that it may have was too small. */
export function isOutOfMemory(error: unknown): boolean {
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
}
