/*
 * Tests the packaging up to the folder for the installers, with a program that only contains fuses instead of
 * Electron: the files in and next to the archive, and the fuses.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from '../scripts/bundles.ts';
import { listWrongFuses } from '../main/fuses.ts';
import { iconSizes, writeIcons } from '../scripts/icons.ts';
import { listBundledPackages } from '../scripts/bundled-packages.ts';
import { isAllowed, listShippedPackages, writeNotices } from '../scripts/notices.ts';
import { createFakeProgram } from '../main/testing/fake-program.ts';

interface Folder {
  readonly files?: Readonly<Record<string, Folder>>;
}

/** Returns the paths in an asar archive. Its header is JSON after 16 bytes of lengths. */
function listFiles(archive: string): string[] {
  const bytes = readFileSync(archive);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Folder;
  const walk = ({ files }: Folder, path: string): string[] =>
    files ? Object.entries(files).flatMap(([name, child]) => walk(child, `${path}/${name}`)) : [path];
  return walk(header, '');
}

/** The icon folder of the packager's configuration. */
const icons = join(root, 'dist/icons');

/** Creates the part of Electron's distribution that the packager needs. */
function createFakeElectron(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak'])
    writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'electron'), createFakeProgram('101100011'), { mode: 0o755 });
}

/** Packs with a configuration of the packager, without the archives and installers. Returns the folder. */
async function pack(config: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-pack-'));
  const [electron, outputFolder] = [join(folder, 'electron'), join(folder, 'out')];
  createFakeElectron(electron);
  await writeIcons(icons);
  writeNotices();
  const run = spawnSync(
    join(root, 'node_modules/.bin/electron-builder'),
    [
      '--config',
      config,
      '--linux',
      '--dir',
      `-c.electronDist=${electron}`,
      `-c.directories.output=${outputFolder}`,
    ],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(run.status, run.stdout + run.stderr).toBe(0);
  return join(outputFolder, 'linux-unpacked');
}

const notLinux = 'not run: the program of the test is a Linux one';
const removePack = (packed: string) => rmSync(join(packed, '../..'), { recursive: true });

test('packs exactly the needed files, with every fuse set @desktop', async () => {
  test.skip(process.platform !== 'linux', notLinux);
  const packed = await pack('electron-builder.yml');
  for (const size of iconSizes) {
    const png = readFileSync(join(icons, `${size}x${size}.png`));
    // Width and height are in the first chunk of a PNG.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  }
  expect(await listWrongFuses(join(packed, 'chartkeeper'))).toEqual([]);
  const files = listFiles(join(packed, 'resources/app.asar'));
  for (const needed of [
    '/package.json',
    '/dist/main/main.js',
    '/dist/main/preload.cjs',
    '/dist/server/worker.js',
    '/dist/page/index.html',
    '/dist/notices.txt',
    '/node_modules/better-sqlite3/lib/index.js',
  ]) {
    expect(files).toContain(needed);
  }
  expect(
    files.filter((path) => !/^\/(?:package\.json$|dist\/|node_modules\/better-sqlite3\/)/.test(path)),
  ).toEqual([]);
  expect(files.filter((path) => /\.map$|^\/dist\/(?:icons|packages)|\.tsx?$/.test(path))).toEqual([]);
  const native = files.filter((path) => path.endsWith('.node'));
  // Only the package of this system and processor.
  expect(native).toEqual([`/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`]);
  expect(existsSync(join(packed, 'resources/portable.txt'))).toBe(false);
  for (const path of native) expect(existsSync(join(packed, 'resources/app.asar.unpacked', path))).toBe(true);
  removePack(packed);
});

test('differs in the zip only by the marker next to its archive @desktop', async () => {
  test.skip(process.platform !== 'linux', notLinux);
  const [installed, portable] = [
    await pack('electron-builder.yml'),
    await pack('electron-builder-portable.yml'),
  ];
  const list = (packed: string) => readdirSync(packed, { recursive: true, encoding: 'utf8' }).sort();
  expect(list(portable).filter((path) => !list(installed).includes(path))).toEqual([
    'resources/portable.txt',
  ]);
  expect(list(installed).filter((path) => !list(portable).includes(path))).toEqual([]);
  const archive = (packed: string) => readFileSync(join(packed, 'resources/app.asar'));
  expect(archive(portable).equals(archive(installed))).toBe(true);
  expect(await listWrongFuses(join(portable, 'chartkeeper'))).toEqual([]);
  removePack(installed);
  removePack(portable);
});

test('knows an allowed license for every package in the bundles @desktop', () => {
  const bundled = listBundledPackages();
  for (const packageName of ['react', 'express', 'monaco-editor'])
    expect(bundled).toContain(`node_modules/${packageName}`);
  const shipped = listShippedPackages();
  expect(shipped.map(({ folder }) => folder)).toEqual(expect.arrayContaining([...bundled]));
  expect(shipped.filter(({ license }) => !isAllowed(license))).toEqual([]);
});
