import { defineMessages } from '../../text/message.ts';
import { isBoundInR4, isInvariantOfR4, withR4 } from '../terminology/r4.ts';
import { getOrCreate, terminologyOf } from '../terminology/membership.ts';
import { compileProfile } from './compile.ts';
import type { ConformanceSet } from './conformance.ts';
import { typeOfStructure } from './element-definition.ts';
import type { ProfilePlan } from './plan.ts';

const needs = defineMessages('needs', {
  definition: 'a valid definition: a url and a type, and an id and a path for each element',
});

export type Library = ReturnType<typeof libraryOf>;

const r4Rules = { isInvariant: isInvariantOfR4, isBound: isBoundInR4 };

/** Canonical of an R4 type, as profiles name it as a target. */
const r4TypeCanonical = /^http:\/\/hl7\.org\/fhir\/StructureDefinition\/([A-Z][A-Za-z]+)(?:\|.*)?$/;

/**
 * Creates a library of a set's definitions and R4's own, compiled on demand.
 *
 * A library belongs to one stamp of the set. Create a new one for another stamp.
 */
export function libraryOf(packageSet: ConformanceSet) {
  const set = withR4(packageSet);
  const plans = new Map<string, ProfilePlan | undefined>();
  const types = new Map<string, string | undefined>();

  return {
    /** Returns the plan of a profile; undefined if the profile is not available. */
    profile: (canonical: string) =>
      getOrCreate(plans, canonical, () => {
        const definition = set.structureDefinition(canonical);
        return definition && (compileProfile(definition, r4Rules) ?? createUnreadablePlan(canonical));
      }),
    /** Returns the type of a StructureDefinition, of a profile or of R4; undefined if it is not available. */
    typeOf: (canonical: string) =>
      getOrCreate(
        types,
        canonical,
        () => r4TypeCanonical.exec(canonical)?.[1] ?? typeOfStructure(set.structureDefinition(canonical)),
      ),
    terminology: terminologyOf(set),
  };
}

function createUnreadablePlan(canonical: string): ProfilePlan {
  const unsupported = [{ element: '', needs: needs.definition() }];
  return { canonical, id: canonical, type: '', root: undefined, unsupported };
}
