import { compileInvariant } from '../../../fhirpath/invariant.ts';
import { serializeNode, type JsonObject } from '../../../json/node.ts';
import { scan } from '../../../json/scan.ts';
import { validateAgainst, type ProfileValidationResult } from '../validate-against.ts';
import type { Library } from '../library.ts';

/** JSON as `JSON.parse` reads it. */
export type Json = any;

/** Parses a JavaScript value into exact nodes. */
export function rootOf(record: Json): JsonObject {
  return scan(JSON.stringify(record)).root as JsonObject;
}

/** Validates a record against profiles with their invariants. `otherResources` are available by reference. */
export function validateSample(
  profiles: readonly string[],
  record: Json,
  library: Library,
  otherResources: ReadonlyMap<string, JsonObject> = new Map(),
): ProfileValidationResult {
  return validateAgainst(profiles, rootOf(record), record.resourceType, library, {
    resolve: (reference) => otherResources.get(reference),
    evaluateInvariant(expression, base, node) {
      const result = compileInvariant(base, expression)(JSON.parse(serializeNode(node)), record);
      return result.status === 'unasked' ? result.needs : result.status === 'held';
    },
  });
}

/** Lists elements and rules of the errors. */
export function errorsIn({ findings }: ProfileValidationResult): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule.replace(/^[^#]*#/, ''));
}
