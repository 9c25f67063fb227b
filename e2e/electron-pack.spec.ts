/*
 * The packaging, up to the folder that installers are made of, with a program in Electron's place that holds nothing
 * but its fuses: what goes into the archive, what lies beside it, and how the fuses are set.
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
import { wrongFuses } from '../main/fuses.ts';
import { iconSizes, writeIcons } from '../scripts/icons.ts';
import { bundledPackages } from '../scripts/bundled-packages.ts';
import { isAllowed, shippedPackages, writeNotices } from '../scripts/notices.ts';
import { fakeProgram } from '../main/testing/fake-program.ts';

interface Folder {
  readonly files?: Readonly<Record<string, Folder>>;
}

/** Paths of an asar archive's files: its header is JSON behind 16 bytes of lengths. */
function filesOf(archive: string): string[] {
  const bytes = readFileSync(archive);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as Folder;
  const walk = ({ files }: Folder, path: string): string[] =>
    files ? Object.entries(files).flatMap(([name, one]) => walk(one, `${path}/${name}`)) : [path];
  return walk(header, '');
}

/** Where the packager's configuration looks for them. */
const icons = join(root, 'dist/icons');

/** As much of Electron's distribution as the packager looks for. */
function fakeElectron(folder: string): void {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  mkdirSync(join(folder, 'locales'));
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'version', 'locales/en-US.pak'])
    writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'electron'), fakeProgram('101100011'), { mode: 0o755 });
}

/** Packs with one of the packager's configurations, without what is made of the folder; returns the folder. */
async function pack(config: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'chartkeeper-pack-'));
  const [electron, out] = [join(folder, 'electron'), join(folder, 'out')];
  fakeElectron(electron);
  await writeIcons(icons);
  writeNotices();
  const run = spawnSync(
    join(root, 'node_modules/.bin/electron-builder'),
    ['--config', config, '--linux', '--dir', `-c.electronDist=${electron}`, `-c.directories.output=${out}`],
    { cwd: root, encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(run.status, run.stdout + run.stderr).toBe(0);
  return join(out, 'linux-unpacked');
}

const notLinux = 'not run: the program of the test is a Linux one';
const removed = (packed: string) => rmSync(join(packed, '../..'), { recursive: true });

test('packs what is needed and nothing else, with every fuse as it should be', async () => {
  test.skip(process.platform !== 'linux', notLinux);
  const packed = await pack('electron-builder.yml');
  for (const size of iconSizes) {
    const png = readFileSync(join(icons, `${size}x${size}.png`));
    // Width and height stand in the first chunk of a PNG.
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([size, size]);
  }
  expect(await wrongFuses(join(packed, 'chartkeeper'))).toEqual([]);
  const files = filesOf(join(packed, 'resources/app.asar'));
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
  // That of this system and processor, and of no other.
  expect(native).toEqual([`/node_modules/better-sqlite3/prebuilds/linux-${process.arch}.node`]);
  expect(existsSync(join(packed, 'resources/portable.txt'))).toBe(false);
  for (const path of native) expect(existsSync(join(packed, 'resources/app.asar.unpacked', path))).toBe(true);
  removed(packed);
});

test('the zip differs from that by the marker beside its archive alone @long', async () => {
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
  expect(await wrongFuses(join(portable, 'chartkeeper'))).toEqual([]);
  removed(installed);
  removed(portable);
});

test('every package in the bundles is known by its licence, which may ship', () => {
  const bundled = bundledPackages();
  for (const some of ['react', 'express', 'monaco-editor']) expect(bundled).toContain(`node_modules/${some}`);
  const shipped = shippedPackages();
  expect(shipped.map(({ folder }) => folder)).toEqual(expect.arrayContaining([...bundled]));
  expect(shipped.filter(({ license }) => !isAllowed(license))).toEqual([]);
});
