/** Sets of definitions for tests. */
import type { ConformanceSet, Definition } from '../conformance.ts';

/** Creates a set of definitions. */
export function setOf(definitions: readonly Definition[], stamp = 'test'): ConformanceSet {
  const byUrl = new Map<string, Definition>();
  for (const definition of definitions) {
    const { resourceType, url, version } = definition;
    if (typeof url !== 'string') continue;
    byUrl.set(`${String(resourceType)} ${url}`, definition);
    byUrl.set(`${String(resourceType)} ${url}|${String(version)}`, definition);
  }
  const findByType = (type: string) => (canonical: string) => byUrl.get(`${type} ${canonical}`);
  return {
    stamp,
    structureDefinition: findByType('StructureDefinition'),
    valueSet: findByType('ValueSet'),
    codeSystem: findByType('CodeSystem'),
  };
}
