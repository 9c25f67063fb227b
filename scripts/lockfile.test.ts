import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };

interface Entry {
  readonly hasInstallScript?: boolean;
  readonly gypfile?: boolean;
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8');
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> };

test('npm ci compiles nothing: the lockfile says "gypfile": false of better-sqlite3 (put it back by hand)', () => {
  expect(packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
});

test('each package with an install script is allowed or denied by name', () => {
  const scripted = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript === true);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.sort()).toEqual(Object.keys(packageJson.allowScripts).sort());
});

test('CONTRIBUTING.md tells of each install script whether it runs, and why', () => {
  const guide = readFileSync(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([^`]+)` +\| (runs|is denied) +\| (\S.*\S) +\|$/gm)];
  const told = rows.map(([, name, decision]) => [name, decision === 'runs']);
  expect(Object.fromEntries(told)).toEqual(packageJson.allowScripts);
});

test('every version is exact', () => {
  const ranges = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies });
  expect(ranges.filter((range) => !/^(?:npm:.+@)?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});
