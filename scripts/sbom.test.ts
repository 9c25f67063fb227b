import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { checkSum } from '../server/sqlite/native-module.ts';
import { root } from './bundles.ts';
import { listEmbedded } from './embedded.ts';
import { hashNativeModules } from './native-modules.ts';
import { isAllowed, listShippedPackages } from './notices.ts';
import { toPurl, createSbom } from './sbom.ts';
import { readSqliteVersion } from './versions.ts';

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

const bill = createSbom() as {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
};
const packages = bill.components.filter(({ purl }) => purl?.startsWith('pkg:npm/'));
const nested = packages.flatMap(({ components = [] }) => components);
const inner = [
  ...nested.filter(({ type }) => type === 'library'),
  ...bill.components.filter((component) => !packages.includes(component)),
];
const files = nested.filter(({ type }) => type === 'file');

test('is CycloneDX 1.6 of this version, with the same bytes each time', () => {
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill).toHaveProperty(
    'serialNumber',
    expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/),
  );
  const { name, version } = packageJson;
  expect(bill.metadata.component).toMatchObject({ type: 'application', name, version });
  expect(JSON.stringify(createSbom())).toBe(JSON.stringify(bill));
});

test('contains every shipped package and Electron, each once', () => {
  const purls = packages.map(({ purl }) => purl);
  expect(new Set(purls).size).toBe(purls.length);
  const shipped = listShippedPackages().map(toPurl);
  const electron = `pkg:npm/electron@${packageJson.devDependencies.electron}`;
  expect([...purls].sort()).toEqual([...new Set([...shipped, electron])].sort());
  expect(purls).toContain(`pkg:npm/%40mantine/core@${packageJson.dependencies['@mantine/core']}`);
});

test('lists version, purl, an allowed license and the distribution hash of each package', () => {
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

test('contains the embedded code of packages: SQLite in its driver, the font in the editor', () => {
  expect(inner.map(({ name }) => name).sort()).toEqual(
    listEmbedded()
      .map(({ name }) => name)
      .sort(),
  );
});

test('names SQLite as advisories do, in the running version, as a dependency of its driver', () => {
  const sqlite = bill.components.find(({ name }) => name === 'sqlite');
  const version = readSqliteVersion();
  expect(sqlite).toMatchObject({
    version,
    purl: `pkg:generic/sqlite@${version}`,
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
  });
  const driver = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/better-sqlite3@'));
  expect(driver?.dependsOn).toContain(sqlite?.['bom-ref']);
});

test('lists each native module of the driver with the hash that is verified at loading', () => {
  const sums = Object.fromEntries(
    files.map(({ name, hashes }) => [name.replace('prebuilds/', ''), hashes?.[0]?.content]),
  );
  expect(sums).toEqual(hashNativeModules(root));
  expect(Object.keys(sums)).toContain(`${process.platform}-${process.arch}.node`);
  const file = resolve(
    root,
    'node_modules/better-sqlite3/prebuilds',
    `${process.platform}-${process.arch}.node`,
  );
  expect(() => checkSum(file, sums[`${process.platform}-${process.arch}.node`] ?? '')).not.toThrow();
});

test('has unique references, and dependencies only on components', () => {
  const applicationRef = bill.metadata.component['bom-ref'];
  const refs = [
    applicationRef,
    ...[...packages, ...inner, ...files].map((component) => component['bom-ref']),
  ];
  expect(new Set(refs).size).toBe(refs.length);
  const namedRefs = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(namedRefs.filter((ref) => !refs.includes(ref))).toEqual([]);
  const express = bill.dependencies.find(({ ref }) => ref.startsWith('pkg:npm/express@'));
  expect(express?.dependsOn.some((ref) => ref.startsWith('pkg:npm/body-parser@'))).toBe(true);
  const roots = bill.dependencies.find(({ ref }) => ref === applicationRef)?.dependsOn ?? [];
  expect(roots.length).toBe(Object.keys(packageJson.dependencies).length + 1);
});
