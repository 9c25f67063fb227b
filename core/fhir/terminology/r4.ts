import type { ConformanceSet, Definition } from '../profiles/conformance.ts';
import { bindings, definitions, invariants } from './generated/r4.js';

let own: ReadonlyMap<string, Definition> | undefined;
let bound: Readonly<Record<string, string | undefined>> | undefined;
let constraints: Readonly<Record<string, string | undefined>> | undefined;

/**
 * A set with R4's own value sets and code systems below it. They are read when the first is asked for; whatever version of
 * one is named, R4 has but its own.
 */
export function withR4(set: ConformanceSet): ConformanceSet {
  const ofR4 = (type: string, canonical: string) => {
    own ??= byUrl();
    return own.get(`${type} ${canonical.replace(/\|.*$/, '')}`);
  };
  return {
    stamp: set.stamp,
    structureDefinition: (canonical) => set.structureDefinition(canonical),
    valueSet: (canonical) => set.valueSet(canonical) ?? ofR4('ValueSet', canonical),
    codeSystem: (canonical) => set.codeSystem(canonical) ?? ofR4('CodeSystem', canonical),
  };
}

/** Whether R4 itself binds an element, by its path in R4's own type, to a value set: its codes are judged as R4's. */
export function isBoundInR4(path: string, valueSet: string): boolean {
  bound ??= JSON.parse(bindings) as Readonly<Record<string, string | undefined>>;
  return Object.hasOwn(bound, path) && bound[path] === valueSet.replace(/\|.*$/, '');
}

/** Whether an invariant is one of R4's own types, which a profile repeats: it is judged as R4's. */
export function isInvariantOfR4(key: string, expression: string): boolean {
  constraints ??= JSON.parse(invariants) as Readonly<Record<string, string | undefined>>;
  return Object.hasOwn(constraints, key) && constraints[key] === expression;
}

function byUrl(): ReadonlyMap<string, Definition> {
  const all = JSON.parse(definitions) as readonly Definition[];
  return new Map(all.map((one) => [`${String(one.resourceType)} ${String(one.url)}`, one]));
}
