import { existsSync, readFileSync } from 'node:fs';
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
// The packager's own schema, validator, parser and file matcher, found from where it is installed: what counts is how
// electron-builder reads the file, and none of them has to be a dependency of this project.
const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
const fromLibrary = createRequire(fromBuilder.resolve('app-builder-lib'));
const schema = fromLibrary('../scheme.json') as object;
const { load } = fromLibrary('js-yaml') as { load: (source: string) => unknown };
const { default: Ajv } = fromLibrary('ajv') as {
  default: new (options: object) => { compile(schema: object): Validator };
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

// The packager's own options but for coercion, which would accept `asar: "true"`.
const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
const source = readFileSync(join(root, 'electron-builder.yml'), 'utf8');

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readConfig(): Record<string, unknown> {
  const config = load(source);
  if (!isRecord(config)) throw new Error('electron-builder.yml is not a mapping.');
  return config;
}

describe('electron-builder.yml', () => {
  const config = readConfig();

  it('follows the schema of electron-builder', () => {
    expect(validate(config), JSON.stringify(validate.errors, null, 2)).toBe(true);
  });

  it.each([{ npmRebuilt: false }, { asar: 'yes' }, { linux: { target: 7 } }])(
    'would be refused with %j',
    (wrong) => {
      expect(validate({ ...config, ...wrong })).toBe(false);
    },
  );

  it('builds the installers of the three systems, in release', () => {
    expect(config).toMatchObject({
      appId: 'org.example.chartkeeper',
      productName: 'Chartkeeper',
      directories: { output: 'release' },
      linux: { target: ['AppImage', 'deb'] },
      mac: { target: ['dmg'] },
      win: { target: ['nsis'] },
    });
  });

  it('neither publishes nor rebuilds nor downloads anything of its own', () => {
    expect(config).toMatchObject({ publish: null, npmRebuild: false });
    expect(config).not.toHaveProperty('electronDownload');
    expect(source).not.toMatch(/https?:/);
  });

  it('sets the fuses by the step of its own, which knows all of them', () => {
    expect(config).toMatchObject({ afterPack: './scripts/after-pack.ts' });
    expect(config).not.toHaveProperty('electronFuses');
    expect(existsSync(join(root, String(config.afterPack)))).toBe(true);
  });

  it('registers its links and its files, and takes JSON from no other program', () => {
    expect(config).toMatchObject({
      protocols: [{ schemes: ['chartkeeper'] }],
      fileAssociations: [{ ext: ['ndjson', 'jsonl'], role: 'Viewer' }],
      mac: { fileAssociations: [{ ext: 'json', rank: 'Alternate' }] },
    });
    expect(config).not.toHaveProperty('win.fileAssociations');
    expect(config).not.toHaveProperty('nsis.fileAssociations');
  });

  it('brings an icon to each system, rendered when it packs', () => {
    expect(config).toMatchObject({
      linux: { icon: 'dist/icons' },
      mac: { icon: 'dist/icons/icon.icns' },
      win: { icon: 'dist/icons/icon.ico' },
    });
  });

  it('packs an archive, with native code beside it', () => {
    expect(config).toMatchObject({ asar: true, asarUnpack: ['**/*.node'] });
  });

  it('brings the bill of materials beside the archive', () => {
    expect(config).toMatchObject({
      extraResources: [{ from: 'dist/sbom.cdx.json', to: 'sbom.cdx.json' }],
      files: expect.arrayContaining(['!dist/sbom.cdx.json']) as string[],
    });
  });

  it('leaves the records where it is uninstalled, and says so', () => {
    expect(config).toMatchObject({ nsis: { deleteAppDataOnUninstall: false } });
    const { include } = config.nsis as { include: string };
    expect(readFileSync(join(root, include), 'utf8')).toMatch(/customUnInstall[^]*backups[^]*stay in/);
  });

  it('names no person', () => {
    expect(source.match(/\S+@\S+/g)).toEqual(['<chartkeeper@example.org>']);
  });

  const packager = { config, debugLogger: { isEnabled: false } };
  const isPacked = getNodeModuleFileMatcher(root, root, (pattern) => pattern, {}, packager).createFilter();

  it.each([
    ['better-sqlite3/lib/index.js', true],
    ['better-sqlite3/lib/methods/pragma.js', true],
    ['better-sqlite3/prebuilds/linux-x64.node', true],
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
  ])('node_modules/%s is packed: %s', (file, expected) => {
    const path = `node_modules/${file}`;
    expect(isPacked(join(root, path), { moduleFullFilePath: path, isDirectory: () => false })).toBe(expected);
  });
});
