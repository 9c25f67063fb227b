import type { InstalledPackage, AvailableProfile } from '../../core/app/packages.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { Catalog, ReadPackage } from './conformance-set.ts';
import { definitionKinds, type Entry, type PackageIndex } from './definitions-file.ts';
import { isIncomplete, needsOf } from './needs.ts';
import { isOwnPackage, type OwnDefinitions } from './own-definitions.ts';

/** Maximum number of canonicals in a list. */
const mostLacking = 50;

/** Describes a package for the list: its content, dependencies and missing definitions. */
export function describe(
  file: string,
  { index }: ReadPackage,
  packages: readonly ReadPackage[],
  catalogue: Catalog,
  r4Definitions: OwnDefinitions,
): InstalledPackage {
  const { name, version, title, entries, notes } = index;
  const countKind = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).length;
  const [StructureDefinition, ValueSet, CodeSystem] = definitionKinds.map(countKind);
  return {
    file,
    state: 'held',
    name,
    version,
    title,
    notes,
    counts: {
      StructureDefinition: StructureDefinition ?? 0,
      ValueSet: ValueSet ?? 0,
      CodeSystem: CodeSystem ?? 0,
    },
    dependencies: Object.entries(index.dependencies).map(([dependency, requestedVersion]) => ({
      name: dependency,
      version: requestedVersion,
      state: stateOf(
        dependency,
        requestedVersion,
        packages.map((readPackage) => readPackage.index),
      ),
    })),
    profiles: entries.flatMap((entry) => offerOf(entry, catalogue, r4Definitions)),
  };
}

function stateOf(
  name: string,
  requestedVersion: string,
  indexes: readonly PackageIndex[],
): InstalledPackage['dependencies'][number]['state'] {
  if (isOwnPackage(name)) return 'own';
  const sameName = indexes.filter((packageIndex) => packageIndex.name === name);
  if (sameName.length === 0) return 'lacking';
  return sameName.some(({ version }) => fits(version, requestedVersion)) ? 'held' : 'other';
}

/** `4.0.x` accepts any patch version, as written in FHIR packages. */
function fits(version: string, requestedVersion: string): boolean {
  if (['latest', 'current', '*'].includes(requestedVersion)) return true;
  return requestedVersion.endsWith('.x')
    ? version.startsWith(requestedVersion.slice(0, -1))
    : version === requestedVersion;
}

function offerOf(entry: Entry, catalogue: Catalog, r4Definitions: OwnDefinitions): AvailableProfile[] {
  const { url, version, title, profile } = entry;
  if (!profile || !isResourceType(profile.type)) return [];
  const missingCanonicals = lackingOf(entry, catalogue, r4Definitions).slice(0, mostLacking);
  return [{ url, version, title, type: profile.type, usable: profile.snapshot, lacks: missingCanonicals }];
}

/**
 * Returns the canonicals that a definition needs, directly or indirectly, and that no available package
 * defines.
 */
function lackingOf(entry: Entry, catalogue: Catalog, r4Definitions: OwnDefinitions): string[] {
  const lacking = new Set<string>();
  const seenCanonicals = new Set<string>();
  const pendingCanonicals = [...entry.needs];
  for (
    let canonical = pendingCanonicals.pop();
    canonical !== undefined;
    canonical = pendingCanonicals.pop()
  ) {
    if (seenCanonicals.has(canonical) || r4Definitions.isOwn(canonical)) continue;
    seenCanonicals.add(canonical);
    const definition = catalogue.find(canonical)?.entry;
    const ofR4 = definition ? undefined : r4Definitions.find(canonical);
    if (definition ? definition.isIncomplete : !ofR4 || isIncomplete(ofR4)) lacking.add(canonical);
    pendingCanonicals.push(...(definition?.needs ?? (ofR4 ? needsOf(ofR4) : [])));
  }
  return [...lacking].sort();
}
