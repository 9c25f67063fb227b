import { expect, test } from 'vitest';
import lockfile from '../package-lock.json' with { type: 'json' };
import packageJson from '../package.json' with { type: 'json' };

const packages: Record<string, { hasInstallScript?: boolean; gypfile?: boolean }> = lockfile.packages;

test('npm ci compiles nothing: the lockfile says "gypfile": false of better-sqlite3 (put it back by hand)', () => {
  expect(packages['node_modules/better-sqlite3']?.gypfile).toBe(false);
});

test('each package with an install script is allowed or denied by name', () => {
  const scripted = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript === true);
  const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ''));
  expect(names.sort()).toEqual(Object.keys(packageJson.allowScripts).sort());
});

test('every version is exact', () => {
  const ranges = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies });
  expect(ranges.filter((range) => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
});
