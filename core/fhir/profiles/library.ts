import { isBoundInR4, isInvariantOfR4, withR4 } from '../terminology/r4.ts';
import { remembered, terminologyOf } from '../terminology/membership.ts';
import { compileProfile } from './compile.ts';
import type { ConformanceSet } from './conformance.ts';
import { typeOfStructure } from './element-definition.ts';
import type { ProfilePlan } from './plan.ts';

export type Library = ReturnType<typeof libraryOf>;

const ofR4 = { isInvariant: isInvariantOfR4, isBound: isBoundInR4 };

/** R4's own types, by the canonical that profiles give as a target. */
const typeOfR4 = /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/([A-Z][A-Za-z]+)(?:\|.*)?$/;

/**
 * The definitions of a set and R4's own, compiled as they are first needed. The library goes with the set's stamp: make
 * another for another.
 */
export function libraryOf(held: ConformanceSet) {
  const set = withR4(held);
  const plans = new Map<string, ProfilePlan | undefined>();
  const types = new Map<string, string | undefined>();

  return {
    /** A profile's plan; undefined where it is not at hand. */
    profile: (canonical: string) =>
      remembered(plans, canonical, () => {
        const definition = set.structureDefinition(canonical);
        return definition && (compileProfile(definition, ofR4) ?? unreadable(canonical));
      }),
    /** The type that a StructureDefinition is of, whether a profile or R4's own; undefined where it is not at hand. */
    typeOf: (canonical: string) =>
      remembered(
        types,
        canonical,
        () => typeOfR4.exec(canonical)?.[1] ?? typeOfStructure(set.structureDefinition(canonical)),
      ),
    terminology: terminologyOf(set),
  };
}

function unreadable(canonical: string): ProfilePlan {
  const needs = 'its definition cannot be read: it needs a url and a type, and each element an id and a path';
  return { canonical, id: canonical, type: '', root: undefined, refused: [{ element: '', needs }] };
}
