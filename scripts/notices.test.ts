import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { root } from './bundles.ts';
import { listEmbedded } from './embedded.ts';
import { checkLicenses, isAllowed, listShippedPackages, writeNotices } from './notices.ts';

const shipped = listShippedPackages();

test('lists every dependency with its own dependencies, and no tool', () => {
  const names = shipped.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  expect(names).toContain('scheduler');
  for (const tool of ['electron', 'vite', 'typescript', 'oxlint', '@playwright/test']) {
    expect(names).not.toContain(tool);
  }
});

test('has only allowed licenses', () => {
  expect(shipped.filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test('stops the build if a package or its embedded code has another license', () => {
  expect(() => checkLicenses()).not.toThrow();
  const [firstPackage] = shipped;
  if (!firstPackage) throw new Error('nothing ships');
  const copyleft = [
    ...shipped,
    { ...firstPackage, name: 'copied', license: 'GPL-3.0' },
    { name: 'bare', license: '' },
  ];
  expect(() => checkLicenses(copyleft)).toThrow('may not: copied (GPL-3.0), bare (no licence).');
});

test('lists embedded code at its path in installed packages', () => {
  for (const { inside, place, name } of listEmbedded()) {
    expect(existsSync(resolve(root, 'node_modules', inside, place)), name).toBe(true);
  }
});

test('lists all fonts, and all embedded code of the editor', () => {
  const knownPaths = listEmbedded().map(({ inside, place }) => `node_modules/${inside}/${place}`);
  const fonts = shipped.flatMap(({ folder }) =>
    globSync(`${folder}/**/*.{ttf,otf,woff,woff2}`, { cwd: root }),
  );
  expect(fonts.filter((font) => !knownPaths.includes(font))).toEqual([]);
  const external = resolve(root, 'node_modules/monaco-editor/esm/external');
  const parts = readdirSync(external).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(external, name)).map((part) => `${name}/${part}`) : name,
  );
  // Modes of other languages and the client of their server. bundles.ts excludes them.
  const unused = ['monaco-lsp-client', 'vscode-css-languageservice', 'vscode-html-languageservice'];
  const names = listEmbedded().map(({ name }) => name);
  expect(parts.filter((part) => !unused.includes(part) && !names.includes(part))).toEqual([]);
});

test.each(['GPL-3.0', 'AGPL-3.0-only', 'MPL-2.0', 'UNLICENSED', 'SEE LICENSE IN x', '', 'MIT AND GPL-2.0'])(
  'rejects %j',
  (license) => {
    expect(isAllowed(license)).toBe(false);
  },
);

test.each(['MIT', '(MPL-2.0 OR Apache-2.0)', '(MIT AND Zlib)', 'GPL-2.0 OR MIT'])('%j may', (license) => {
  expect(isAllowed(license)).toBe(true);
});

test('writes the version and license of each package into the notices', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-notices-'));
  const file = join(folder, 'notices.txt');
  writeNotices(file);
  const text = readFileSync(file, 'utf8');
  for (const { name, version, license } of shipped) expect(text).toContain(`${name} ${version} (${license})`);
  for (const { name } of listEmbedded()) expect(text).toMatch(new RegExp(`^${name} .*, in `, 'm'));
  for (const { copyright } of listEmbedded()) expect(text).toContain(copyright);
  expect(text).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
  await rm(folder, { recursive: true });
});
