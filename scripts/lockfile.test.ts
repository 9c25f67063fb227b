import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

interface Entry {
  readonly hasInstallScript?: boolean;
  readonly gypfile?: boolean;
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };

test('compiles nothing in npm ci: better-sqlite3 has "gypfile": false (restore it by hand)', () => {
  expect(packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
});

test('allows or denies each package with an install script by name', () => {
  const scriptedPackages = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript === true);
  const names = scriptedPackages.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.sort()).toEqual(Object.keys(packageJson.allowScripts).sort());
});

test('documents in CONTRIBUTING.md if each install script runs, and why', () => {
  const guide = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([^`]+)` +\| (runs|is denied) +\| (\S.*\S) +\|$/gm)];
  const documentedDecisions = rows.map(([, name, decision]) => [name, decision === 'runs']);
  expect(Object.fromEntries(documentedDecisions)).toEqual(packageJson.allowScripts);
});

test('uses exact versions', () => {
  const ranges = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies });
  expect(ranges.filter((range) => !/^(?:npm:.+@)?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});
