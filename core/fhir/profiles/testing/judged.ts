import { compileInvariant } from '../../../fhirpath/invariant.ts';
import type { JsonObject } from '../../../json/node.ts';
import { print } from '../../../json/print.ts';
import { scan } from '../../../json/scan.ts';
import { judgeBy, type ProfileVerdict } from '../judge-by.ts';
import type { Library } from '../library.ts';

/** JSON as `JSON.parse` reads it. */
export type Json = any;

/** A value of JavaScript as exact nodes. */
export function rootOf(record: Json): JsonObject {
  return scan(JSON.stringify(record)).root as JsonObject;
}

/** What a record comes to by profiles, with its invariants, and beside others by their references. */
export function judged(
  profiles: readonly string[],
  record: Json,
  library: Library,
  others: ReadonlyMap<string, JsonObject> = new Map(),
): ProfileVerdict {
  return judgeBy(profiles, rootOf(record), record.resourceType, library, {
    resolve: (reference) => others.get(reference),
    holds(expression, base, node) {
      const held = compileInvariant(base, expression)(JSON.parse(print(node)), record);
      return held.is === 'unasked' ? held.why : held.is === 'held';
    },
  });
}

/** Elements and demands of the errors. */
export function errorsIn({ findings }: ProfileVerdict): string[] {
  return findings
    .filter(({ severity }) => severity === 'error')
    .map(({ rule }) => rule.replace(/^[^#]*#/, ''));
}
