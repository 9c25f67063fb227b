import { resolve } from 'node:path';
import { isStale } from './build.ts';
import { planCluster } from '../server/testing/postgres.ts';
import { ensureSchema } from './schema.ts';
import { root } from './schema-sources.ts';

/** vitest's global set-up; answers what is to be done at the end. */
export function setup(): () => void {
  ensureSchema();
  // Built it starts in a fifth of the time.
  if (!isStale()) process.env.BUILT_CLI ??= resolve(root, 'dist/server/cli.js');
  // Tests start the command line from its sources many times: Node strips and compiles them once.
  process.env.NODE_COMPILE_CACHE ??= resolve(root, 'node_modules/.cache/node');
  return planCluster();
}
