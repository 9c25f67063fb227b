import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ConformanceSet, Definition } from '../../core/fhir/profiles/conformance.ts';
import { matchesSchema, members } from '../../core/json/shape.ts';
import { readDefinition, type DefinitionKind, type Entry, type PackageIndex } from './definitions-file.ts';
import { cachedBodies } from './limits.ts';

/** Returns the folder of the parsed definitions, inside the package folder. */
export function definitionsIn(folder: string): string {
  return join(folder, '.read');
}

/** A package that was read, with the file of its definitions. */
export interface ReadPackage {
  readonly path: string;
  readonly index: PackageIndex;
}

export interface DefinitionLocation {
  readonly path: string;
  readonly entry: Entry;
}

/** Definitions by canonical, with or without `|version`. Without a version the latest. */
export class Catalog {
  /** Changes with the definitions at hand. */
  readonly stamp: string;
  private readonly byUrl: ReadonlyMap<string, DefinitionLocation[]>;

  constructor(packages: readonly ReadPackage[]) {
    const contents = packages.map(({ index }) => index.sha256).sort();
    this.stamp =
      contents.length === 0 ? '' : createHash('sha256').update(contents.join()).digest('hex').slice(0, 16);
    // Of two packages with the same definition the newer one wins.
    const newestFirst = packages.toSorted((a, b) => compareVersions(b.index.version, a.index.version));
    const locations = newestFirst.flatMap(({ path, index }) =>
      index.entries.map((entry) => ({ path, entry })),
    );
    this.byUrl = Map.groupBy(locations, ({ entry }) => entry.url);
    for (const sameUrl of this.byUrl.values()) {
      sameUrl.sort((a, b) => compareVersions(b.entry.version, a.entry.version));
    }
  }

  /** The definition of this canonical, of one kind or any. */
  find(canonical: string, kind?: DefinitionKind): DefinitionLocation | undefined {
    const [url = '', version] = canonical.split('|');
    return this.byUrl
      .get(url)
      ?.find(
        ({ entry }) =>
          (kind === undefined || entry.kind === kind) && (version === undefined || entry.version === version),
      );
  }
}

/** Provides the definitions of packages. Reads each text on demand and caches the last parsed ones. */
export function conformanceOf(catalogue: Catalog): ConformanceSet {
  const cachedBodies = new HeldBodies();
  const get = (kind: DefinitionKind) => (canonical: string) => {
    const location = catalogue.find(canonical, kind);
    return location && cachedBodies.get(location);
  };
  return {
    stamp: catalogue.stamp,
    structureDefinition: get('StructureDefinition'),
    valueSet: get('ValueSet'),
    codeSystem: get('CodeSystem'),
  };
}

/** Cache of parsed definitions in order of use, limited by the bytes of their texts. */
class HeldBodies {
  private readonly bodies = new Map<Entry, Definition | undefined>();
  private bytes = 0;

  get({ path, entry }: DefinitionLocation): Definition | undefined {
    const isCached = this.bodies.has(entry);
    const body = isCached ? this.bodies.get(entry) : definitionAt(path, entry);
    // Moves the last used one to the end.
    this.bodies.delete(entry);
    this.bodies.set(entry, body);
    if (!isCached) this.bytes += entry.length;
    for (const oldest of this.bodies.keys()) {
      if (this.bytes <= cachedBodies || oldest === entry) break;
      this.bodies.delete(oldest);
      this.bytes -= oldest.length;
    }
    return body;
  }
}

function definitionAt(path: string, entry: Entry): Definition | undefined {
  const parsed = readDefinition(path, entry);
  return matchesSchema(members, parsed) ? parsed : undefined;
}

/**
 * Compares versions as people write them: numbers by value, a release after its prereleases (semver.org
 * 11).
 */
function compareVersions(version: string, otherVersion: string): number {
  const [[leftCore, leftLabel], [rightCore, rightLabel]] = [partsOf(version), partsOf(otherVersion)];
  return (
    leftCore.localeCompare(rightCore, 'en', { numeric: true }) ||
    Number(leftLabel === '') - Number(rightLabel === '') ||
    leftLabel.localeCompare(rightLabel, 'en', { numeric: true })
  );
}

function partsOf(version: string): readonly [core: string, label: string] {
  const hyphenIndex = version.indexOf('-');
  return hyphenIndex === -1 ? [version, ''] : [version.slice(0, hyphenIndex), version.slice(hyphenIndex + 1)];
}
