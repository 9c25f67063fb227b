import type { ConformanceSet, Definition } from '../profiles/conformance.ts';
import { bindings, definitions, invariants } from './generated/r4.js';

let r4Definitions: ReadonlyMap<string, Definition> | undefined;
let boundValueSets: Readonly<Record<string, string | undefined>> | undefined;
let constraints: Readonly<Record<string, string | undefined>> | undefined;

/**
 * Adds R4's own value sets and code systems to a set. They are read on demand. R4 has one version of each, so the
 * requested version is ignored.
 */
export function withR4(set: ConformanceSet): ConformanceSet {
  const findInR4 = (type: string, canonical: string) => {
    r4Definitions ??= indexDefinitions();
    return r4Definitions.get(`${type} ${canonical.replace(/\|.*$/, '')}`);
  };
  return {
    stamp: set.stamp,
    structureDefinition: (canonical) => set.structureDefinition(canonical),
    valueSet: (canonical) => set.valueSet(canonical) ?? findInR4('ValueSet', canonical),
    codeSystem: (canonical) => set.codeSystem(canonical) ?? findInR4('CodeSystem', canonical),
  };
}

/**
 * Returns true if R4 itself binds an element, by its path in R4's type, to a value set. R4's rules validate
 * its codes.
 */
export function isBoundInR4(path: string, valueSet: string): boolean {
  boundValueSets ??= JSON.parse(bindings) as Readonly<Record<string, string | undefined>>;
  return Object.hasOwn(boundValueSets, path) && boundValueSets[path] === valueSet.replace(/\|.*$/, '');
}

/** Returns true for an invariant of R4's own types that a profile repeats. R4's rules validate it. */
export function isInvariantOfR4(key: string, expression: string): boolean {
  constraints ??= JSON.parse(invariants) as Readonly<Record<string, string | undefined>>;
  return Object.hasOwn(constraints, key) && constraints[key] === expression;
}

function indexDefinitions(): ReadonlyMap<string, Definition> {
  const parsedDefinitions = JSON.parse(definitions) as readonly Definition[];
  return new Map(
    parsedDefinitions.map((definition) => [
      `${String(definition.resourceType)} ${String(definition.url)}`,
      definition,
    ]),
  );
}
