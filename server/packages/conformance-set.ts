import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ConformanceSet, Definition } from '../../core/fhir/profiles/conformance.ts';
import { is, members } from '../../core/json/shape.ts';
import { readDefinition, type DefinitionKind, type Entry, type PackageIndex } from './definitions-file.ts';
import { heldBodies } from './limits.ts';

/** The folder, below that of packages, of what was read of them. */
export function definitionsIn(folder: string): string {
  return join(folder, '.read');
}

/** A package that was read, and the file that holds its definitions. */
export interface ReadPackage {
  readonly path: string;
  readonly index: PackageIndex;
}

/** Where a definition is. */
export interface Found {
  readonly path: string;
  readonly entry: Entry;
}

/** Definitions by canonical, `|version` behind it or not; without one the newest. */
export class Catalogue {
  /** Changes with the definitions at hand. */
  readonly stamp: string;
  private readonly byUrl: ReadonlyMap<string, Found[]>;

  constructor(packages: readonly ReadPackage[]) {
    const contents = packages.map(({ index }) => index.sha256).sort();
    this.stamp =
      contents.length === 0 ? '' : createHash('sha256').update(contents.join()).digest('hex').slice(0, 16);
    // Where two packages define the same, the newer one's stands.
    const newestFirst = packages.toSorted((one, other) =>
      compareVersions(other.index.version, one.index.version),
    );
    const all = newestFirst.flatMap(({ path, index }) => index.entries.map((entry) => ({ path, entry })));
    this.byUrl = Map.groupBy(all, ({ entry }) => entry.url);
    for (const found of this.byUrl.values()) {
      found.sort((one, other) => compareVersions(other.entry.version, one.entry.version));
    }
  }

  /** The definition of this canonical, of one kind or any. */
  find(canonical: string, kind?: DefinitionKind): Found | undefined {
    const [url = '', version] = canonical.split('|');
    return this.byUrl
      .get(url)
      ?.find(
        ({ entry }) =>
          (kind === undefined || entry.kind === kind) && (version === undefined || entry.version === version),
      );
  }
}

/** The definitions of packages: each text is read when it is asked for, and the last ones stay parsed. */
export function conformanceOf(catalogue: Catalogue): ConformanceSet {
  const held = new HeldBodies();
  const get = (kind: DefinitionKind) => (canonical: string) => {
    const found = catalogue.find(canonical, kind);
    return found && held.get(found);
  };
  return {
    stamp: catalogue.stamp,
    structureDefinition: get('StructureDefinition'),
    valueSet: get('ValueSet'),
    codeSystem: get('CodeSystem'),
  };
}

/** Parsed definitions, those used last; bounded by the bytes of their texts. */
class HeldBodies {
  private readonly bodies = new Map<Entry, Definition | undefined>();
  private bytes = 0;

  get({ path, entry }: Found): Definition | undefined {
    const known = this.bodies.has(entry);
    const body = known ? this.bodies.get(entry) : definitionAt(path, entry);
    // The one used last stands at the end.
    this.bodies.delete(entry);
    this.bodies.set(entry, body);
    if (!known) this.bytes += entry.length;
    for (const oldest of this.bodies.keys()) {
      if (this.bytes <= heldBodies || oldest === entry) break;
      this.bodies.delete(oldest);
      this.bytes -= oldest.length;
    }
    return body;
  }
}

function definitionAt(path: string, entry: Entry): Definition | undefined {
  const parsed = readDefinition(path, entry);
  return is(members, parsed) ? parsed : undefined;
}

/** The order of versions as people write them: numbers by their value, a release behind its ballots (semver.org 11). */
function compareVersions(left: string, right: string): number {
  const [[leftCore, leftLabel], [rightCore, rightLabel]] = [partsOf(left), partsOf(right)];
  return (
    leftCore.localeCompare(rightCore, 'en', { numeric: true }) ||
    Number(leftLabel === '') - Number(rightLabel === '') ||
    leftLabel.localeCompare(rightLabel, 'en', { numeric: true })
  );
}

function partsOf(version: string): readonly [core: string, label: string] {
  const at = version.indexOf('-');
  return at === -1 ? [version, ''] : [version.slice(0, at), version.slice(at + 1)];
}
