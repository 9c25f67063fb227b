/** Sets of definitions for tests. */
import type { ConformanceSet, Definition } from '../conformance.ts';

/** A set of definitions. */
export function setOf(definitions: readonly Definition[], stamp = 'test'): ConformanceSet {
  const byUrl = new Map<string, Definition>();
  for (const definition of definitions) {
    const { resourceType, url, version } = definition;
    if (typeof url !== 'string') continue;
    byUrl.set(`${String(resourceType)} ${url}`, definition);
    byUrl.set(`${String(resourceType)} ${url}|${String(version)}`, definition);
  }
  const named = (type: string) => (canonical: string) => byUrl.get(`${type} ${canonical}`);
  return {
    stamp,
    structureDefinition: named('StructureDefinition'),
    valueSet: named('ValueSet'),
    codeSystem: named('CodeSystem'),
  };
}
