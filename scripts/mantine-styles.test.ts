import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './bundles.ts';

const mantine = join(root, 'node_modules/@mantine/core');
const readText = (path: string) => readFileSync(path, 'utf8');

/** Components that modules of the page import from Mantine. */
function listUsedComponents(): readonly string[] {
  const imports = execFileSync(
    'git',
    ['grep', '-hzoE', String.raw`import \{[^}]*\} from '@mantine/core'`, '--', 'renderer'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  const names = imports.matchAll(/\b([A-Z]\w+)\b/g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

/** Adds the names of the sheets that a module of Mantine needs, by its imports. */
function collectSheets(path: string, seen: Set<string>, sheets: Set<string>): void {
  if (seen.has(path) || !existsSync(path)) return;
  seen.add(path);
  if (path.endsWith('.module.mjs')) sheets.add(basename(path, '.module.mjs'));
  for (const [, source = ''] of readText(path).matchAll(/from\s*"([^"]+)"/g))
    if (source.startsWith('.')) collectSheets(join(dirname(path), source), seen, sheets);
}

test("imports the sheet of each component of Mantine that the page uses, in Mantine's order", () => {
  const seen = new Set<string>();
  const sheets = new Set<string>(['baseline', 'default-css-variables', 'global']);
  for (const name of listUsedComponents())
    collectSheets(join(mantine, 'esm/components', name, `${name}.mjs`), seen, sheets);
  const allSheets = readText(join(mantine, 'styles.css'));
  const getPosition = (name: string) =>
    allSheets.indexOf(readText(join(mantine, `styles/${name}.css`)).slice(0, 80));
  const imported = [
    ...readText(join(root, 'renderer/ui/mantine.css')).matchAll(/styles\/([\w-]+)\.css/g),
  ].map(([, name]) => name);
  expect(sheets.size).toBeGreaterThan(20);
  expect(imported).toEqual([...sheets].sort((a, b) => getPosition(a) - getPosition(b)));
});
