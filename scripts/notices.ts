/** What ships of other people's work: the packages, their licences, and the texts that go along. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundledPackages } from './bundled-packages.ts';
import { root } from './bundles.ts';
import { embedded } from './embedded.ts';

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Folder below the project's. */
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

/** Licences that may ship: they ask for their notice, or for nothing. */
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
  // Of fonts and icons.
  'CC-BY-4.0',
  // SQLite is in the public domain.
  'blessing',
  'Python-2.0',
  'LicenseRef-NLM',
  'LicenseRef-LHNCBC-UCUM',
];

/** Licences that have no name of SPDX and were read: both ask for their notice and for the names of who made it. */
const readLicenses: Readonly<Record<string, string>> = {
  // The three clauses of BSD, by the National Library of Medicine and Health Samurai.
  fhirpath: 'LicenseRef-NLM',
  // The same, and the notices of LOINC and UCUM whose tables it holds.
  '@lhncbc/ucum-lhc': 'LicenseRef-LHNCBC-UCUM',
};

/**
 * Refuses to build what may not ship: the bundles are looked at as they are, whatever the lockfile calls a tool.
 *
 * @throws Error that names each package and its licence.
 */
export function checkLicenses(
  parts: readonly Pick<ShippedPackage, 'name' | 'license'>[] = [...shippedPackages(), ...embedded()],
): void {
  const refused = parts.filter(({ license }) => !isAllowed(license));
  if (refused.length === 0) return;
  const names = refused.map(({ name, license }) => `${name} (${license === '' ? 'no licence' : license})`);
  throw new Error(`Of what ships, these have licences that may not: ${names.join(', ')}.`);
}

/** The lockfile's packages by their folders below the project's. */
export function lockedPackages(): Readonly<Record<string, LockEntry>> {
  const lock = readFileSync(resolve(root, 'package-lock.json'), 'utf8');
  return (JSON.parse(lock) as { packages: Readonly<Record<string, LockEntry>> }).packages;
}

/**
 * Every package that production code may hold, as the lockfile has it, and what the bundles hold of others: a module that
 * is imported where it happens to be there ships too. By name.
 */
export function shippedPackages(): readonly ShippedPackage[] {
  const bundled = new Set(bundledPackages());
  const isListed = ({ dev, devOptional }: LockEntry) => dev !== true && devOptional !== true;
  return Object.entries(lockedPackages())
    .filter(([folder, entry]) => folder !== '' && (isListed(entry) || bundled.has(folder)))
    .map(([folder, { version = '', license = '' }]): ShippedPackage => {
      const name = folder.replace(/^.*node_modules\//, '');
      return { name, version, license: readLicenses[name] ?? license, folder };
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Whether a licence expression (SPDX) may ship: one of several that are offered is enough, of several that hold, all. */
export function isAllowed(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isAllowed);
  if (plain.includes(' AND ')) return plain.split(' AND ').every(isAllowed);
  return allowedLicenses.includes(plain);
}

const noticeFile = /^(?:licen[cs]e|notice|copying|thirdpartynotices)(?:[.-].*)?$/i;

function noticesOf({ folder }: ShippedPackage): string {
  const path = resolve(root, folder);
  if (!existsSync(path)) return '';
  const files = readdirSync(path).filter((name) => noticeFile.test(name));
  return files.map((name) => readFileSync(join(path, name), 'utf8').trim()).join('\n\n');
}

/** Writes dist/notices.txt: the licence of each package that ships, and whose what it embeds is. Electron's and Chromium's lie beside the program. */
export function writeNotices(file = resolve(root, 'dist/notices.txt')): void {
  const parts = shippedPackages().map((shipped) => {
    const { name, version, license } = shipped;
    return `${name} ${version} (${license})\n\n${noticesOf(shipped)}`.trim();
  });
  const inner = embedded().map(({ name, version = '', license, inside, copyright, website }) =>
    `${name} ${version} (${license}), in ${inside}\n\n${copyright}\n${website}`.replace('  (', ' ('),
  );
  writeFileSync(file, `${[...parts, ...inner].join(`\n\n${'-'.repeat(72)}\n\n`)}\n`);
}

if (import.meta.main) writeNotices();
