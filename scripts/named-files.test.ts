import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';

/** What docs/changing-things.md has its reader make. */
const made = /^core\/types\/(?:goal|testing\/NAME-sample)\.ts$/;
const named =
  /\b(?:core|server|main|renderer|scripts|e2e|faults|bench|mutants|examples)\/[\w./-]+\.(?:tsx?|css)\b/g;

/** Pages that tell what is now; those of runs and of changes tell what was. */
const pages = globSync(['*.md', 'docs/**/*.md'], { cwd: root }).filter(
  (page) => !/CHANGELOG|trust-runs/.test(page),
);

test.each(pages)('each file that %s names is there', (page) => {
  const files = readFileSync(join(root, page), 'utf8').match(named) ?? [];
  expect(files.filter((file) => !made.test(file) && !existsSync(join(root, file)))).toEqual([]);
});
