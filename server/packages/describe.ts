import type { HeldPackage, ProfileOffer } from '../../core/app/packages.ts';
import { isResourceType } from '../../core/fhir/resource.ts';
import type { Catalogue, ReadPackage } from './conformance-set.ts';
import { definitionKinds, type Entry, type PackageIndex } from './definitions-file.ts';
import { isIncomplete, needsOf } from './needs.ts';
import { isOwnPackage, type OwnDefinitions } from './own-definitions.ts';

/** Canonicals of which a list names so many. */
const mostLacking = 50;

/** A package as the list tells it: what it holds, what it needs, and what is lacking of that. */
export function describe(
  file: string,
  { index }: ReadPackage,
  all: readonly ReadPackage[],
  catalogue: Catalogue,
  own: OwnDefinitions,
): HeldPackage {
  const { name, version, title, entries, notes } = index;
  const of = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).length;
  const [StructureDefinition, ValueSet, CodeSystem] = definitionKinds.map(of);
  return {
    ...{ file, state: 'held', name, version, title, notes },
    counts: {
      StructureDefinition: StructureDefinition ?? 0,
      ValueSet: ValueSet ?? 0,
      CodeSystem: CodeSystem ?? 0,
    },
    dependencies: Object.entries(index.dependencies).map(([dependency, wanted]) => ({
      name: dependency,
      version: wanted,
      state: stateOf(
        dependency,
        wanted,
        all.map((one) => one.index),
      ),
    })),
    profiles: entries.flatMap((entry) => offerOf(entry, catalogue, own)),
  };
}

function stateOf(
  name: string,
  wanted: string,
  all: readonly PackageIndex[],
): HeldPackage['dependencies'][number]['state'] {
  if (isOwnPackage(name)) return 'own';
  const held = all.filter((one) => one.name === name);
  if (held.length === 0) return 'lacking';
  return held.some(({ version }) => fits(version, wanted)) ? 'held' : 'other';
}

/** `4.0.x` takes any patch, as FHIR packages write it. */
function fits(version: string, wanted: string): boolean {
  if (['latest', 'current', '*'].includes(wanted)) return true;
  return wanted.endsWith('.x') ? version.startsWith(wanted.slice(0, -1)) : version === wanted;
}

function offerOf(entry: Entry, catalogue: Catalogue, own: OwnDefinitions): ProfileOffer[] {
  const { url, version, title, profile } = entry;
  if (!profile || !isResourceType(profile.type)) return [];
  const lacks = lackingOf(entry, catalogue, own).slice(0, mostLacking);
  return [{ url, version, title, type: profile.type, usable: profile.snapshot, lacks }];
}

/** The canonicals that a definition needs, and those that these need, and that nothing at hand defines. */
function lackingOf(entry: Entry, catalogue: Catalogue, own: OwnDefinitions): string[] {
  const lacking = new Set<string>();
  const seen = new Set<string>();
  const waiting = [...entry.needs];
  for (let canonical = waiting.pop(); canonical !== undefined; canonical = waiting.pop()) {
    if (seen.has(canonical) || own.isOwn(canonical)) continue;
    seen.add(canonical);
    const found = catalogue.find(canonical)?.entry;
    const ofR4 = found ? undefined : own.find(canonical);
    if (found ? found.isIncomplete : !ofR4 || isIncomplete(ofR4)) lacking.add(canonical);
    waiting.push(...(found?.needs ?? (ofR4 ? needsOf(ofR4) : [])));
  }
  return [...lacking].sort();
}
