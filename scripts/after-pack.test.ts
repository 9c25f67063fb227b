import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch } from 'electron-builder';
import { expect, onTestFinished, test } from 'vitest';
import { checkNativeModule } from './after-pack.ts';
import { root } from './bundles.ts';
import { hashNativeModules } from './native-modules.ts';

const packager = { appInfo: { productFilename: 'Chartkeeper' }, executableName: 'chartkeeper' };

/** Creates a packed app with these native modules. */
function createPackedApp(electronPlatformName: string, arch: Arch, names: readonly string[]) {
  const appOutDir = mkdtempSync(join(tmpdir(), 'chartkeeper-after-pack-'));
  onTestFinished(() => rmSync(appOutDir, { recursive: true }));
  const resources = electronPlatformName === 'darwin' ? 'Chartkeeper.app/Contents/Resources' : 'resources';
  const folder = join(appOutDir, resources, 'app.asar.unpacked/node_modules/better-sqlite3/prebuilds');
  mkdirSync(folder, { recursive: true });
  for (const name of names)
    cpSync(join(root, 'node_modules/better-sqlite3/prebuilds', name), join(folder, name));
  return { app: { appOutDir, electronPlatformName, arch, packager }, folder };
}

const targets = ['linux', 'darwin', 'win32'].flatMap((platform) =>
  [Arch.x64, Arch.arm64].map((arch) => [platform, arch, `${platform}-${Arch[arch]}.node`] as const),
);

test.each(targets)('has a driver module for %s, %s, and accepts an app with it', (...row) => {
  const [platform, arch, name] = row;
  expect(hashNativeModules(root)).toHaveProperty([name]);
  expect(() => checkNativeModule(createPackedApp(platform, arch, [name]).app)).not.toThrow();
});

test("rejects an app without a native module, with another target's or with two", () => {
  for (const names of [[], ['linux-arm64.node'], ['linux-x64.node', 'linux-arm64.node']]) {
    const { app } = createPackedApp('linux', Arch.x64, names);
    expect(() => checkNativeModule(app)).toThrow(/^linux-x64.node alone was to be packed/);
  }
});

test('rejects a native module with changed bytes', () => {
  const { app, folder } = createPackedApp('win32', Arch.arm64, []);
  writeFileSync(join(folder, 'win32-arm64.node'), 'other');
  expect(() => checkNativeModule(app)).toThrow('win32-arm64.node was packed with other bytes.');
});
