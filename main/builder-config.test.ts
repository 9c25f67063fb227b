import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface Validator {
  (value: unknown): boolean;
  errors?: unknown;
}
interface Matcher {
  createFilter(): (file: string, stat: { moduleFullFilePath: string; isDirectory(): boolean }) => boolean;
}

const root = join(import.meta.dirname, '..');
// The packager's own schema, validator, parser and file matcher, found from its installation. The test must
// read the file as electron-builder does, without further dependencies of this project.
const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const fromLibrary = createRequire(fromBuilder.resolve('app-builder-lib'));
const schema = fromLibrary('../scheme.json') as object;
const { default: Ajv } = fromLibrary('ajv') as {
  default: new (options: object) => { compile(schema: object): Validator };
};
const { getConfig } = fromLibrary('./util/config/config.js') as {
  getConfig: (folder: string, file: string) => Promise<Record<string, unknown>>;
};
const { getNodeModuleFileMatcher } = fromLibrary('./fileMatcher.js') as {
  getNodeModuleFileMatcher: (
    appDir: string,
    destination: string,
    expand: (pattern: string) => string,
    platformOptions: object,
    packager: { config: object; debugLogger: { isEnabled: boolean } },
  ) => Matcher;
};

// The packager's options without coercion, which would accept `asar: "true"`.
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
const files = {
  app: 'electron-builder-app.yml',
  installers: 'electron-builder.yml',
  zips: 'electron-builder-portable.yml',
};
const source = Object.values(files)
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('');

describe('electron-builder.yml', async () => {
  const config = await getConfig(root, files.installers);

  it('follows the schema of electron-builder', () => {
    expect(validate(config), JSON.stringify(validate.errors, null, 2)).toBe(true);
  });

  it.each([{ npmRebuilt: false }, { asar: 'yes' }, { linux: { target: 7 } }])(
    'would be rejected with %j',
    (wrong) => {
      expect(validate({ ...config, ...wrong })).toBe(false);
    },
  );

  const architectures = ['x64', 'arm64'];

  it('builds the installers of the three systems for both processors into release', () => {
    const createTargets = (...targets: string[]) =>
      targets.map((target) => ({ target, arch: architectures }));
    expect(config).toMatchObject({
      appId: 'org.example.chartkeeper',
      productName: 'Chartkeeper',
      directories: { output: 'release' },
      linux: { target: createTargets('AppImage', 'deb', 'rpm') },
      mac: { target: createTargets('dmg') },
      win: { target: createTargets('nsis', 'msi') },
      nsis: { buildUniversalInstaller: false },
    });
  });

  it('installs an MSI for the whole machine, without a prompt and without starting the program', () => {
    expect(config).toMatchObject({ msi: { oneClick: true, perMachine: true, runAfterFinish: false } });
  });

  it('neither publishes nor rebuilds nor downloads anything', () => {
    expect(config).toMatchObject({ publish: null, npmRebuild: false });
    expect(config).not.toHaveProperty('electronDownload');
    expect(source).not.toMatch(/https?:/);
  });

  it('sets the fuses by its own step, which knows all of them', () => {
    expect(config).toMatchObject({ afterPack: './scripts/after-pack.ts' });
    expect(config).not.toHaveProperty('electronFuses');
    expect(existsSync(join(root, String(config.afterPack)))).toBe(true);
  });

  it('registers its links and files, but is not the default program for JSON', () => {
    expect(config).toMatchObject({
      protocols: [{ schemes: ['chartkeeper'] }],
      fileAssociations: [{ ext: ['ndjson', 'jsonl'], role: 'Viewer' }],
      mac: { fileAssociations: [{ ext: 'json', rank: 'Alternate' }] },
    });
    expect(config).not.toHaveProperty('win.fileAssociations');
    expect(config).not.toHaveProperty('nsis.fileAssociations');
  });

  it('includes an icon for each system, rendered while packing', () => {
    expect(config).toMatchObject({
      linux: { icon: 'dist/icons' },
      mac: { icon: 'dist/icons/icon.icns' },
      win: { icon: 'dist/icons/icon.ico' },
    });
  });

  it('packs an archive, with native code outside it', () => {
    expect(config).toMatchObject({ asar: true, asarUnpack: ['**/*.node'] });
  });

  it('puts the bill of materials next to the archive', () => {
    expect(config).toMatchObject({
      extraResources: [{ from: 'dist/sbom.cdx.json', to: 'sbom.cdx.json' }],
    });
    // The archive itself does not contain it.
    expect(JSON.stringify(config.files)).toContain('"!dist/sbom.cdx.json"');
  });

  it('keeps the records when uninstalled, and says so', () => {
    expect(config).toMatchObject({ nsis: { deleteAppDataOnUninstall: false } });
    const { include } = config.nsis as { include: string };
    expect(readFileSync(join(root, include), 'utf8')).toMatch(/customUnInstall[^]*backups[^]*stay in/);
  });

  it('names no person', () => {
    expect(source.match(/\S+@\S+/g)).toEqual(['<chartkeeper@example.org>']);
  });

  const packager = { config, debugLogger: { isEnabled: false } };
  /** Returns true if the packager includes a file for a system and a processor. */
  function isPackedFor(system: 'linux' | 'mac' | 'win', arch: string, file: string): boolean {
    const expand = (pattern: string) => pattern.replaceAll('${arch}', arch);
    const systemOptions = config[system] as object;
    const path = `node_modules/${file}`;
    const isPacked = getNodeModuleFileMatcher(root, root, expand, systemOptions, packager).createFilter();
    return isPacked(join(root, path), { moduleFullFilePath: path, isDirectory: () => false });
  }

  it.each([
    ['better-sqlite3/lib/index.js', true],
    ['better-sqlite3/lib/methods/pragma.js', true],
    ['better-sqlite3/package.json', true],
    ['better-sqlite3/LICENSE', true],
    ['better-sqlite3/binding.gyp', false],
    ['better-sqlite3/deps/sqlite3/sqlite3.c', false],
    ['better-sqlite3/src/better_sqlite3.cpp', false],
    ['better-sqlite3/node_modules/x/package.json', false],
    ['express/package.json', false],
    ['monaco-editor/package.json', false],
    ['@mantine/core/package.json', false],
    ['node-addon-api/napi.h', false],
  ])('packs node_modules/%s: %s', (file, expected) => {
    for (const system of ['linux', 'mac', 'win'] as const) {
      expect(isPackedFor(system, 'x64', file)).toBe(expected);
    }
  });

  it.each([
    ['linux', 'x64', 'linux-x64.node'],
    ['linux', 'arm64', 'linux-arm64.node'],
    ['mac', 'x64', 'darwin-x64.node'],
    ['mac', 'arm64', 'darwin-arm64.node'],
    ['win', 'x64', 'win32-x64.node'],
    ['win', 'arm64', 'win32-arm64.node'],
  ] as const)('packs for %s on %s only the native module %s', (system, arch, expected) => {
    const prebuilds = 'better-sqlite3/prebuilds';
    const moduleNames = readdirSync(join(root, 'node_modules', prebuilds));
    expect(moduleNames.filter((name) => isPackedFor(system, arch, `${prebuilds}/${name}`))).toEqual([
      expected,
    ]);
  });
});

describe('electron-builder-portable.yml', async () => {
  const zips = await getConfig(root, files.zips);
  const installers = await getConfig(root, files.installers);

  it('follows the schema of electron-builder', () => {
    expect(validate(zips), JSON.stringify(validate.errors, null, 2)).toBe(true);
  });

  it('builds a zip of each system for both processors, in a separate folder', () => {
    const target = [{ target: 'zip', arch: ['x64', 'arm64'] }];
    expect(zips).toMatchObject({
      directories: { output: 'release/portable' },
      linux: { target },
      mac: { target },
      win: { target },
      artifactName: '${productName}-${version}-${os}-${arch}-portable.${ext}',
    });
  });

  it('packs the files of the installers, and next to the archive the marker of the data folder', () => {
    const pickShared = ({ files, asar, asarUnpack, afterPack }: Record<string, unknown>) => ({
      files,
      asar,
      asarUnpack,
      afterPack,
    });
    expect(pickShared(zips)).toEqual(pickShared(installers));
    const list = installers.extraResources as object[];
    const marker = { from: 'scripts/portable.txt', to: 'portable.txt' };
    expect(zips.extraResources).toEqual([...list, marker]);
    expect(list).not.toContainEqual(marker);
    expect(readFileSync(join(root, marker.from), 'utf8')).toContain('"Chartkeeper data"');
    for (const system of ['linux', 'mac', 'win']) {
      expect((zips[system] as { files: unknown }).files).toEqual(
        (installers[system] as { files: unknown }).files,
      );
    }
  });
});
