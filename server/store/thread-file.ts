import { resolve } from 'node:path';

/** The file that a thread is started by, beside the module of this `meta`: of the sources, or of what is built of them. */
export function threadFile({ dirname, filename }: ImportMeta, name: string): string {
  return resolve(dirname, `${name}.${filename.endsWith('.ts') ? 'ts' : 'js'}`);
}
