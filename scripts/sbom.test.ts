import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { checkSum } from '../server/store/sqlite/native-module.ts';
import { root } from './bundles.ts';
import { embedded } from './embedded.ts';
import { nativeModules } from './native-modules.ts';
import { isAllowed, shippedPackages } from './notices.ts';
import { purlOf, sbom } from './sbom.ts';
import { sqliteVersion } from './versions.ts';

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly group?: string;
  readonly version?: string;
  readonly purl?: string;
  readonly cpe?: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
  readonly externalReferences: readonly {
    readonly type: string;
    readonly url: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  }[];
  readonly components?: readonly Component[];
}

const bill = sbom() as {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
const packages = bill.components.filter(({ purl }) => purl?.startsWith('pkg:npm/'));
const within = packages.flatMap(({ components = [] }) => components);
const inner = [
  ...within.filter(({ type }) => type === 'library'),
  ...bill.components.filter((one) => !packages.includes(one)),
];
const files = within.filter(({ type }) => type === 'file');

test('it is CycloneDX 1.6 of this version, and the same each time', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill).toHaveProperty(
    'serialNumber',
    expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
  );
  const { name, version } = packageJson;
  expect(bill.metadata.component).toMatchObject({ type: 'application', name, version });
  expect(JSON.stringify(sbom())).toBe(JSON.stringify(bill));
});

test('every package that ships is in it, with Electron, each once', () => {
  const purls = packages.map(({ purl }) => purl);
  expect(new Set(purls).size).toBe(purls.length);
  const shipped = shippedPackages().map(purlOf);
  const electron = `pkg:npm/electron@${packageJson.devDependencies.electron}`;
  expect([...purls].sort()).toEqual([...new Set([...shipped, electron])].sort());
  expect(purls).toContain(`pkg:npm/%40mantine/core@${packageJson.dependencies['@mantine/core']}`);
});

test('each has version, purl, an allowed licence, and the hash of its distribution', () => {
  for (const { name, version, purl, licenses, hashes, externalReferences } of packages) {
    expect(hashes, name).toEqual([
      { alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string },
    ]);
    expect(version, name).toMatch(/^\d+\.\d+\.\d+/);
    expect(purl, name).toMatch(/^pkg:npm\/(%40[^/@]+\/)?[^/@]+@[^@]+$/);
    expect(licenses.map(({ license, expression }) => license?.id ?? expression ?? '').every(isAllowed)).toBe(
      true,
    );
    expect(externalReferences, name).toMatchObject([
      {
        type: 'distribution',
        hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      },
    ]);
  }
});

test('what packages embed stands in them: SQLite in its driver, the font in the editor', () => {
  expect(inner.map(({ name }) => name).sort()).toEqual(
    embedded()
      .map(({ name }) => name)
      .sort(),
  );
});

test('SQLite is a component by the names that advisories use, in the version that runs, and its driver needs it', () => {
  const sqlite = bill.components.find(({ name }) => name === 'sqlite');
  const version = sqliteVersion();
  expect(sqlite).toMatchObject({
    version,
    purl: `pkg:generic/sqlite@${version}`,
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
  });
  const driver = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/better-sqlite3@'));
  expect(driver?.dependsOn).toContain(sqlite?.['bom-ref']);
});

test('the native code of the driver stands in it file by file, with the hash that it is held against when loaded', () => {
  const sums = Object.fromEntries(
    files.map(({ name, hashes }) => [name.replace('prebuilds/', ''), hashes?.[0]?.content]),
  );
  expect(sums).toEqual(nativeModules(root));
  expect(Object.keys(sums)).toContain(`${process.platform}-${process.arch}.node`);
  const file = resolve(
    root,
    'node_modules/better-sqlite3/prebuilds',
    `${process.platform}-${process.arch}.node`,
  );
  expect(() => checkSum(file, sums[`${process.platform}-${process.arch}.node`] ?? '')).not.toThrow();
});

test('references are unique, and dependencies name what is there', () => {
  const own = bill.metadata.component['bom-ref'];
  const refs = [own, ...[...packages, ...inner, ...files].map((one) => one['bom-ref'])];
  expect(new Set(refs).size).toBe(refs.length);
  const named = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !refs.includes(ref))).toEqual([]);
  const express = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/express@'));
  expect(express?.dependsOn.some((ref) => ref.startsWith('pkg:npm/body-parser@'))).toBe(true);
  const roots = bill.dependencies.find(({ ref }) => ref === own)?.dependsOn ?? [];
  expect(roots.length).toBe(Object.keys(packageJson.dependencies).length + 1);
});
