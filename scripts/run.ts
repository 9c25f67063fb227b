/**
 * Runs the built command line in this process, after a build if needed: `node scripts/run.ts serve --port 0`.
 */
import { resolve } from 'node:path';
import { ensureBuilt } from './build.ts';
import { root } from './bundles.ts';

const commandLine = resolve(root, 'dist/server/cli.js');

await ensureBuilt();
process.argv.splice(1, 1, commandLine);
await import(commandLine);
