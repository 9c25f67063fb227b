import { resolve } from 'node:path';
import { codeOf } from './store-error.ts';

/** Returns the path of a worker's entry file next to the module of this `meta`: source or built file. */
export function threadFile({ dirname, filename }: ImportMeta, name: string): string {
  return resolve(dirname, `${name}.${filename.endsWith('.ts') ? 'ts' : 'js'}`);
}

/** Returns true if a worker exceeded its memory limit. */
export function isOutOfMemory(error: unknown): boolean {
  return codeOf(error) === 'ERR_WORKER_OUT_OF_MEMORY';
}
