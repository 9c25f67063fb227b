/**
 * The software bill of materials of what ships, as CycloneDX 1.6 JSON: `npm run sbom` writes dist/sbom.cdx.json. The
 * same sources make the same bytes: no time, no random number.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { buildBundles, isStale } from './build.ts';
import { root } from './bundles.ts';
import { embedded, type Embedded } from './embedded.ts';
import { nativeModules } from './native-modules.ts';
import { lockedPackages, shippedPackages, type ShippedPackage } from './notices.ts';

type Json = Readonly<Record<string, unknown>>;

const lock = lockedPackages();
const electron: ShippedPackage = {
  name: 'electron',
  version: packageJson.devDependencies.electron,
  license: lock['node_modules/electron']?.license ?? '',
  folder: 'node_modules/electron',
};

const driver = 'better-sqlite3';

/** What is asked for by name and exact version; a package may bring another version of the same beside it. */
const direct = [
  electron,
  ...Object.entries(packageJson.dependencies).map(([name, version]) => ({ name, version })),
];

/** The bill: the application, the packages in it with what they embed, and who needs whom. */
export function sbom(): Json {
  const packages = [...shippedPackages(), electron];
  const byPurl = new Map(packages.map((one) => [purlOf(one), one]));
  const shipped = [...byPurl].sort(([one], [other]) => (one < other ? -1 : 1));
  const { name, version, description } = packageJson;
  const own = purlOf({ name, version });
  const names = packages.map((one) => one.name);
  const components = [
    ...shipped.map(([, one]) => componentOf(one)),
    // Made from packages that do not ship themselves; and SQLite, which advisories name without its driver.
    ...embedded()
      .filter((one) => !names.includes(one.inside) || stands(one))
      .map(embeddedComponent),
  ];
  const dependencies = [
    { ref: own, dependsOn: direct.map(purlOf).sort() },
    ...shipped.map(([ref, { name: needing }]) => ({
      ref,
      dependsOn: [
        ...needsOf(packages, ref, byPurl),
        ...embedded()
          .filter((one) => stands(one) && one.inside === needing)
          .map(refOf),
      ],
    })),
  ];
  const metadata = {
    lifecycles: [{ phase: 'build' }],
    component: {
      type: 'application',
      'bom-ref': own,
      name,
      version,
      description,
      licenses: licensesOf(packageJson.license),
      purl: own,
    },
  };
  const content = { metadata, components, dependencies };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(content),
    version: 1,
    ...content,
  };
}

/** Package URL (purl-spec, type npm). */
export function purlOf({ name, version }: Pick<ShippedPackage, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function componentOf(shipped: ShippedPackage): Json {
  const { name, version, license } = shipped;
  const [group, plain] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const inner = [
    ...embedded()
      .filter((one) => one.inside === name && !stands(one))
      .map(embeddedComponent),
    ...(name === driver ? nativeComponents() : []),
  ];
  return {
    type: name === 'electron' ? 'framework' : 'library',
    'bom-ref': purlOf(shipped),
    ...(group !== undefined && { group }),
    name: plain,
    version,
    ...(name === 'electron' && {
      description: 'Brings Chromium, Node and ffmpeg, whose licences lie beside the program.',
    }),
    ...hashesOf(shipped),
    licenses: licensesOf(license),
    purl: purlOf(shipped),
    externalReferences: distributionOf(shipped),
    ...(inner.length > 0 && { components: inner }),
  };
}

/** The native code of the driver, file by file, as it must be when it is loaded. */
function nativeComponents(): Json[] {
  return Object.entries(nativeModules(root)).map(([name, content]) => ({
    type: 'file',
    'bom-ref': `${driver}#${name}`,
    name: `prebuilds/${name}`,
    hashes: [{ alg: 'SHA-256', content }],
  }));
}

/** Whether what is embedded is a component beside its package: one that has a name of its own among advisories. */
function stands({ cpe }: Embedded): boolean {
  return cpe !== undefined;
}

function refOf({ inside, name }: Embedded): string {
  return `${inside}#${name}`;
}

function embeddedComponent(one: Embedded): Json {
  const { name, version, license, copyright, website, cpe } = one;
  return {
    type: 'library',
    'bom-ref': refOf(one),
    name,
    ...(version !== undefined && { version }),
    licenses: licensesOf(license),
    copyright,
    ...(cpe !== undefined && { cpe, purl: `pkg:generic/${name}@${version ?? ''}` }),
    externalReferences: [{ type: 'website', url: website }],
  };
}

function licensesOf(expression: string): Json[] {
  return / (?:OR|AND) /.test(expression) ? [{ expression }] : [{ license: { id: expression } }];
}

/** The hash of the package as it was installed, which npm holds it against. */
function hashesOf({ folder }: ShippedPackage): { readonly hashes?: readonly Json[] } {
  const [algorithm = '', value = ''] = lock[folder]?.integrity?.split('-') ?? [];
  const alg = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }[algorithm];
  return alg === undefined
    ? {}
    : { hashes: [{ alg, content: Buffer.from(value, 'base64').toString('hex') }] };
}

/** Where the public registry has the package. */
function distributionOf(shipped: ShippedPackage): Json[] {
  const { name, version } = shipped;
  const url = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
  return [{ type: 'distribution', url, ...hashesOf(shipped) }];
}

/** What a package needs of what ships, from wherever it is installed; found as Node finds it. */
function needsOf(
  packages: readonly ShippedPackage[],
  purl: string,
  shipped: ReadonlyMap<string, ShippedPackage>,
): string[] {
  const places = packages.filter((one) => purlOf(one) === purl);
  const needs = places.flatMap(({ folder }) =>
    Object.keys(lock[folder]?.dependencies ?? {}).flatMap((name) => {
      const found = foldersAbove(folder).map((above) => lock[`${above}node_modules/${name}`]);
      const version = found.find(Boolean)?.version;
      return version === undefined ? [] : purlOf({ name, version });
    }),
  );
  return [...new Set(needs)].filter((need) => shipped.has(need)).sort();
}

/** The folders in which a package looks for what it needs, its own first. */
function foldersAbove(folder: string): string[] {
  const parts = folder.split('/node_modules/');
  return [...parts.keys()]
    .map((index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`)
    .concat('');
}

/** A UUID of the content: RFC 9562 section 5.8. */
function serialOf(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes the bill. */
export function writeSbom(): void {
  mkdirSync(resolve(root, 'dist'), { recursive: true });
  writeFileSync(resolve(root, 'dist/sbom.cdx.json'), `${JSON.stringify(sbom(), null, 2)}\n`);
}

if (import.meta.main) {
  if (isStale()) await buildBundles();
  writeSbom();
}
