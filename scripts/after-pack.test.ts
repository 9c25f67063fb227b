import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Arch } from 'electron-builder';
import { expect, onTestFinished, test } from 'vitest';
import { checkNativeModule } from './after-pack.ts';
import { root } from './bundles.ts';
import { nativeModules } from './native-modules.ts';

const packager = { appInfo: { productFilename: 'Chartkeeper' }, executableName: 'chartkeeper' };

/** A packed app with these native modules. */
function packed(electronPlatformName: string, arch: Arch, names: readonly string[]) {
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

test.each(targets)(
  'the driver has a module for %s, %s, and it is the one that has to be packed',
  (...row) => {
    const [platform, arch, name] = row;
    expect(nativeModules(root)).toHaveProperty([name]);
    expect(() => checkNativeModule(packed(platform, arch, [name]).app)).not.toThrow();
  },
);

test('an app without one, with that of another target or with two is not packed', () => {
  for (const names of [[], ['linux-arm64.node'], ['linux-x64.node', 'linux-arm64.node']]) {
    const { app } = packed('linux', Arch.x64, names);
    expect(() => checkNativeModule(app)).toThrow(/^linux-x64.node alone was to be packed/);
  }
});

test('one of other bytes is not packed', () => {
  const { app, folder } = packed('win32', Arch.arm64, []);
  writeFileSync(join(folder, 'win32-arm64.node'), 'other');
  expect(() => checkNativeModule(app)).toThrow('win32-arm64.node was packed with other bytes.');
});
