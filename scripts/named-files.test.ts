import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';

/** Files that the reader of docs/changing-things.md creates. */
const createdFile = /^(?:core|renderer\/ui\/text)\/types\/(?:goal|testing\/NAME-sample)\.ts$/;
const sourcePath =
  /\b(?:core|server|main|renderer|scripts|e2e|faults|bench|mutants|examples)\/[\w./-]+\.(?:tsx?|css)\b/g;

/** Pages about the current state. Pages of runs and changes describe earlier states. */
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter(
  (page) => !/CHANGELOG|trust-runs/.test(page),
);

test.each(pages)('finds each file that %s names', (page) => {
  const files = readFileSync(join(root, page), 'utf8').match(sourcePath) ?? [];
  expect(files.filter((file) => !createdFile.test(file) && !existsSync(join(root, file)))).toEqual([]);
});
