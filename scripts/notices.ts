/** The shipped code of other people: its packages, licenses and notices. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { listBundledPackages } from './bundled-packages.ts';
import { root } from './bundles.ts';
import { listEmbedded } from './embedded.ts';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Folder relative to the root of the project. */
  readonly folder: string;
}

export interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
}

/** Licenses that may ship. They require a notice or nothing. */
const allowedLicenses: readonly string[] = [
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'Zlib',
  'Unlicense',
  'CC0-1.0',
  'BlueOak-1.0.0',
  // For fonts and icons.
  'CC-BY-4.0',
  // SQLite is in the public domain.
  'blessing',
  'Python-2.0',
  'LicenseRef-NLM',
  'LicenseRef-LHNCBC-UCUM',
];

/** Licenses without an SPDX name, after a review. Both require their notice and the names of the authors. */
const readLicenses: Readonly<Record<string, string>> = {
  // BSD with three clauses, by the National Library of Medicine and Health Samurai.
  fhirpath: 'LicenseRef-NLM',
  // The same, with the notices of LOINC and UCUM for its tables.
  '@lhncbc/ucum-lhc': 'LicenseRef-LHNCBC-UCUM',
};

/**
 * Stops the build if a package must not ship. Checks the content of the bundles, even of packages that the
 * lockfile lists as tools.
 *
 * @throws Error that names each such package and its license.
 */
export function checkLicenses(
  parts: readonly Pick<ShippedPackage, 'name' | 'license'>[] = [...listShippedPackages(), ...listEmbedded()],
): void {
  const rejected = parts.filter(({ license }) => !isAllowed(license));
  if (rejected.length === 0) return;
  const names = rejected.map(({ name, license }) => `${name} (${license === '' ? 'no licence' : license})`);
  throw new Error(`Of what ships, these have licences that may not: ${names.join(', ')}.`);
}

/** Returns the packages of the lockfile by their folders. */
export function readLockedPackages(): Readonly<Record<string, LockEntry>> {
  const lock = readFileSync(resolve(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(lock) as { packages: Readonly<Record<string, LockEntry>> }).packages;
}

/**
 * Returns every package that ships: the production dependencies of the lockfile, and all other packages in
 * the bundles, because an import may find a tool. Sorted by name.
 */
export function listShippedPackages(): readonly ShippedPackage[] {
  const bundled = new Set(listBundledPackages());
  const isListed = ({ dev, devOptional }: LockEntry) => dev !== true && devOptional !== true;
  return Object.entries(readLockedPackages())
    .filter(([folder, entry]) => folder !== '' && (isListed(entry) || bundled.has(folder)))
    .map(([folder, { version = '', license = '' }]): ShippedPackage => {
      const name = folder.replace(/^.*node_modules\//, '');
      return { name, version, license: readLicenses[name] ?? license, folder };
    })
    .sort((left, right) => left.name.localeCompare(right.name));
}

/**
 * Returns true if an SPDX license expression may ship: one allowed license of an OR is enough, an AND needs
 * all.
 */
export function isAllowed(expression: string): boolean {
  const license = expression.replace(/^\((.*)\)$/, '$1');
  if (license.includes(' OR ')) return license.split(' OR ').some(isAllowed);
  if (license.includes(' AND ')) return license.split(' AND ').every(isAllowed);
  return allowedLicenses.includes(license);
}

const noticeFile = /^(?:licen[cs]e|notice|copying|thirdpartynotices)(?:[.-].*)?$/i;

function readNotices({ folder }: ShippedPackage): string {
  const path = resolve(root, folder);
  if (!existsSync(path)) return '';
  const files = readdirSync(path).filter((name) => noticeFile.test(name));
  return files.map((name) => readFileSync(join(path, name), 'utf8').trim()).join('\n\n');
}

/**
 * Writes dist/notices.txt: the license of each shipped package, and the copyright of its embedded code. The
 * notices of Electron and Chromium are next to the program.
 */
export function writeNotices(file = resolve(root, 'dist/notices.txt')): void {
  const parts = listShippedPackages().map((shipped) => {
    const { name, version, license } = shipped;
    return `${name} ${version} (${license})\n\n${readNotices(shipped)}`.trim();
  });
  const inner = listEmbedded().map(({ name, version = '', license, inside, copyright, website }) =>
    `${name} ${version} (${license}), in ${inside}\n\n${copyright}\n${website}`.replace('  (', ' ('),
  );
  writeFileSync(file, `${[...parts, ...inner].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`);
}

if (import.meta.main) writeNotices();
