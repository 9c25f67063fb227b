import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { root } from './bundles.ts';
import { embedded } from './embedded.ts';
import { checkLicenses, isAllowed, shippedPackages, writeNotices } from './notices.ts';

const shipped = shippedPackages();

test('what ships is every dependency with all that it needs, and no tool', () => {
  const names = shipped.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(Object.keys(packageJson.dependencies)));
  expect(names).toContain('scheduler');
  for (const tool of ['electron', 'vite', 'typescript', 'oxlint', '@playwright/test']) {
    expect(names).not.toContain(tool);
  }
});

test('every licence of what ships is on the list of those that may', () => {
  expect(shipped.filter(({ license }) => !isAllowed(license))).toEqual([]);
});

test('a package, or what it embeds, with another licence ends the build', () => {
  expect(() => checkLicenses()).not.toThrow();
  const [one] = shipped;
  if (!one) throw new Error('nothing ships');
  const copyleft = [
    ...shipped,
    { ...one, name: 'copied', license: 'GPL-3.0' },
    { name: 'bare', license: '' },
  ];
  expect(() => checkLicenses(copyleft)).toThrow('may not: copied (GPL-3.0), bare (no licence).');
});

test('what packages embed is listed where it lies, in packages that are installed', () => {
  for (const { inside, place, name } of embedded()) {
    expect(existsSync(resolve(root, 'node_modules', inside, place)), name).toBe(true);
  }
});

test('no font ships but those that are listed, and the editor embeds nothing else', () => {
  const known = embedded().map(({ inside, place }) => `node_modules/${inside}/${place}`);
  const fonts = shipped.flatMap(({ folder }) =>
    globSync(`${folder}/**/*.{ttf,otf,woff,woff2}`, { cwd: root }),
  );
  expect(fonts.filter((font) => !known.includes(font))).toEqual([]);
  const external = resolve(root, 'node_modules/monaco-editor/esm/external');
  const parts = readdirSync(external).flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(external, name)).map((part) => `${name}/${part}`) : name,
  );
  // Modes of other languages, and their server's client: bundles.ts leaves them out.
  const unused = ['monaco-lsp-client', 'vscode-css-languageservice', 'vscode-html-languageservice'];
  const names = embedded().map(({ name }) => name);
  expect(parts.filter((part) => !unused.includes(part) && !names.includes(part))).toEqual([]);
});

test.each(['GPL-3.0', 'AGPL-3.0-only', 'MPL-2.0', 'UNLICENSED', 'SEE LICENSE IN x', '', 'MIT AND GPL-2.0'])(
  '%j may not',
  (license) => {
    expect(isAllowed(license)).toBe(false);
  },
);

test.each(['MIT', '(MPL-2.0 OR Apache-2.0)', '(MIT AND Zlib)', 'GPL-2.0 OR MIT'])('%j may', (license) => {
  expect(isAllowed(license)).toBe(true);
});

test('the notices name each package with its version, and hold its licence', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chartkeeper-notices-'));
  const file = join(folder, 'notices.txt');
  writeNotices(file);
  const text = readFileSync(file, 'utf8');
  for (const { name, version, license } of shipped) expect(text).toContain(`${name} ${version} (${license})`);
  for (const { name } of embedded()) expect(text).toMatch(new RegExp(`^${name} .*, in `, 'm'));
  for (const { copyright } of embedded()) expect(text).toContain(copyright);
  expect(text).toContain('Copyright (c) Meta Platforms, Inc. and affiliates.');
  await rm(folder, { recursive: true });
});
