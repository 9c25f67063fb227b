import { isBoundInR4, isInvariantOfR4, withR4 } from '../terminology/r4.ts';
import { remembered, terminologyOf, type Terminology } from '../terminology/membership.ts';
import { compileProfile } from './compile.ts';
import type { ConformanceSet } from './conformance.ts';
import { typeOfStructure } from './element-definition.ts';
import type { ProfilePlan } from './plan.ts';

/** The definitions of a set, compiled as they are first needed. */
export interface Library {
  /** A profile's plan; undefined where it is not at hand. */
  profile(canonical: string): ProfilePlan | undefined;
  /** The type that a StructureDefinition is of, whether a profile or R4's own; undefined where it is not at hand. */
  typeOf(canonical: string): string | undefined;
  readonly terminology: Terminology;
}

const ofR4 = { isInvariant: isInvariantOfR4, isBound: isBoundInR4 };

/** R4's own types, by the canonical that profiles give as a target. */
const typeOfR4 = /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/([A-Z][A-Za-z]+)(?:\|.*)?$/;

/** The library of a set and of R4's own definitions. It goes with the set's stamp: make another for another. */
export function libraryOf(held: ConformanceSet): Library {
  const set = withR4(held);
  const plans = new Map<string, ProfilePlan | undefined>();
  const types = new Map<string, string | undefined>();

  return {
    profile: (canonical) =>
      remembered(plans, canonical, () => {
        const definition = set.structureDefinition(canonical);
        return definition && (compileProfile(definition, ofR4) ?? unreadable(canonical));
      }),
    typeOf: (canonical) =>
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
