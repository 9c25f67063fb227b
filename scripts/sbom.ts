/**
 * Creates the software bill of materials as CycloneDX 1.6 JSON: `npm run sbom` writes dist/sbom.cdx.json. The
 * same sources give the same bytes: it contains no time and no random number.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { buildBundles, isStale } from './build.ts';
import { root } from './bundles.ts';
import { listEmbedded, type Embedded } from './embedded.ts';
import { hashNativeModules } from './native-modules.ts';
import { readLockedPackages, listShippedPackages, type ShippedPackage } from './notices.ts';

type Json = Readonly<Record<string, unknown>>;

const lock = readLockedPackages();
const electron: ShippedPackage = {
  name: 'electron',
  version: packageJson.devDependencies.electron,
  license: lock['node_modules/electron']?.license ?? '',
  folder: 'node_modules/electron',
};

const driver = 'better-sqlite3';

/** Direct dependencies with exact versions. A package may bring another version of one. */
const direct = [
  electron,
  ...Object.entries(packageJson.dependencies).map(([name, version]) => ({ name, version })),
];

/** Returns the bill: the application, its packages with their embedded code, and their dependencies. */
export function createSbom(): Json {
  const packages = [...listShippedPackages(), electron];
  const byPurl = new Map(packages.map((shippedPackage) => [toPurl(shippedPackage), shippedPackage]));
  const shipped = [...byPurl].sort(([left], [right]) => (left < right ? -1 : 1));
  const { name, version, description } = packageJson;
  const applicationPurl = toPurl({ name, version });
  const names = packages.map((shippedPackage) => shippedPackage.name);
  const components = [
    ...shipped.map(([, shippedPackage]) => toComponent(shippedPackage)),
    // Embedded code of packages that do not ship, and SQLite, which advisories name without its driver.
    ...listEmbedded()
      .filter((part) => !names.includes(part.inside) || isSeparate(part))
      .map(toEmbeddedComponent),
  ];
  const dependencies = [
    { ref: applicationPurl, dependsOn: direct.map(toPurl).sort() },
    ...shipped.map(([ref, { name: parentName }]) => ({
      ref,
      dependsOn: [
        ...listNeeds(packages, ref, byPurl),
        ...listEmbedded()
          .filter((part) => isSeparate(part) && part.inside === parentName)
          .map(toRef),
      ],
    })),
  ];
  const metadata = {
    lifecycles: [{ phase: 'build' }],
    component: {
      type: 'application',
      'bom-ref': applicationPurl,
      name,
      version,
      description,
      licenses: toLicenses(packageJson.license),
      purl: applicationPurl,
    },
  };
  const content = { metadata, components, dependencies };
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: createSerial(content),
    version: 1,
    ...content,
  };
}

/** Returns the package URL (purl-spec, type npm). */
export function toPurl({ name, version }: Pick<ShippedPackage, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function toComponent(shipped: ShippedPackage): Json {
  const { name, version, license } = shipped;
  const [group, localName] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const inner = [
    ...listEmbedded()
      .filter((part) => part.inside === name && !isSeparate(part))
      .map(toEmbeddedComponent),
    ...(name === driver ? listNativeComponents() : []),
  ];
  return {
    type: name === 'electron' ? 'framework' : 'library',
    'bom-ref': toPurl(shipped),
    ...(group !== undefined && { group }),
    name: localName,
    version,
    ...(name === 'electron' && {
      description: 'Brings Chromium, Node and ffmpeg, whose licences lie beside the program.',
    }),
    ...readHashes(shipped),
    licenses: toLicenses(license),
    purl: toPurl(shipped),
    externalReferences: toDistribution(shipped),
    ...(inner.length > 0 && { components: inner }),
  };
}

/** Lists the native modules of the driver with the hashes that are verified at loading. */
function listNativeComponents(): Json[] {
  return Object.entries(hashNativeModules(root)).map(([name, content]) => ({
    type: 'file',
    'bom-ref': `${driver}#${name}`,
    name: `prebuilds/${name}`,
    hashes: [{ alg: 'SHA-256', content }],
  }));
}

/** Returns true if embedded code is a separate component, because it has its own name in advisories. */
function isSeparate({ cpe }: Embedded): boolean {
  return cpe !== undefined;
}

function toRef({ inside, name }: Embedded): string {
  return `${inside}#${name}`;
}

function toEmbeddedComponent(part: Embedded): Json {
  const { name, version, license, copyright, website, cpe } = part;
  return {
    type: 'library',
    'bom-ref': toRef(part),
    name,
    ...(version !== undefined && { version }),
    licenses: toLicenses(license),
    copyright,
    ...(cpe !== undefined && { cpe, purl: `pkg:generic/${name}@${version ?? ''}` }),
    externalReferences: [{ type: 'website', url: website }],
  };
}

function toLicenses(expression: string): Json[] {
  return / (?:OR|AND) /.test(expression) ? [{ expression }] : [{ license: { id: expression } }];
}

/** Returns the hash of the installed package, as verified by npm. */
function readHashes({ folder }: ShippedPackage): { readonly hashes?: readonly Json[] } {
  const [algorithm = '', value = ''] = lock[folder]?.integrity?.split('-') ?? [];
  const alg = { sha512: 'SHA-512', sha256: 'SHA-256', sha1: 'SHA-1' }[algorithm];
  return alg === undefined
    ? {}
    : { hashes: [{ alg, content: Buffer.from(value, 'base64').toString('hex') }] };
}

/** Returns the address of the package in the public registry. */
function toDistribution(shipped: ShippedPackage): Json[] {
  const { name, version } = shipped;
  const url = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`;
  return [{ type: 'distribution', url, ...readHashes(shipped) }];
}

/**
 * Returns the shipped packages that a package needs, from all places where it is installed, as Node resolves
 * them.
 */
function listNeeds(
  packages: readonly ShippedPackage[],
  purl: string,
  shipped: ReadonlyMap<string, ShippedPackage>,
): string[] {
  const installations = packages.filter((candidate) => toPurl(candidate) === purl);
  const needs = installations.flatMap(({ folder }) =>
    Object.keys(lock[folder]?.dependencies ?? {}).flatMap((name) => {
      const entries = listParentFolders(folder).map((parent) => lock[`${parent}node_modules/${name}`]);
      const version = entries.find(Boolean)?.version;
      return version === undefined ? [] : toPurl({ name, version });
    }),
  );
  return [...new Set(needs)].filter((need) => shipped.has(need)).sort();
}

/** Returns the folders in which Node looks for the dependencies of a package, its own first. */
function listParentFolders(folder: string): string[] {
  const parts = folder.split('/node_modules/');
  return [...parts.keys()]
    .map((index) => `${parts.slice(0, parts.length - index).join('/node_modules/')}/`)
    .concat('');
}

/** Returns a UUID of the content (RFC 9562 section 5.8). */
function createSerial(content: unknown): string {
  const hex = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Writes the bill to dist/. */
export function writeSbom(): void {
  mkdirSync(resolve(root, 'dist'), { recursive: true });
  writeFileSync(resolve(root, 'dist/sbom.cdx.json'), `${JSON.stringify(createSbom(), null, 2)}\n`);
}

if (import.meta.main) {
  if (isStale()) await buildBundles();
  writeSbom();
}
