/** Asks an invariant of a profile (FHIR R4 elementdefinition-definitions.html#ElementDefinition.constraint) of elements. */
import fhirpath from 'fhirpath';
import { compile, exceededLimit, messageOf } from './engine.ts';

/** What an invariant came to for one element. */
export type Held = { readonly is: 'held' | 'broken' } | { readonly is: 'unasked'; readonly why: string };

/** Functions that need more than the record: another record, or a terminology. */
const beyond =
  /\b(?:resolve|memberOf|conformsTo|subsumes|subsumedBy|validateVS|htmlChecks\d?)\s*\(|%terminologies|%`?(?:vs|ext)-/;

/**
 * An invariant as a question on values of an element; `base` is the element's path or type, by which the engine knows the
 * types below it. What cannot be parsed is asked of nothing, and says why.
 */
export function compileInvariant(
  base: string,
  expression: string,
): (value: unknown, record: unknown) => Held {
  const limit = exceededLimit(expression);
  if (limit !== undefined) return () => ({ is: 'unasked', why: `an expression with ${limit}` });
  const outside = beyond.exec(expression)?.[0];
  if (outside !== undefined)
    return () => ({ is: 'unasked', why: `what ${outside.replace(/\s*\($/, '()')} asks for` });
  let ask: (value: unknown, environment: Record<string, unknown>) => unknown;
  try {
    ask = compile(expression, base);
  } catch (error) {
    const why = `an expression that can be parsed: ${messageOf(error)}`;
    return () => ({ is: 'unasked', why });
  }
  return (value, record) => {
    try {
      const [first, ...others] = fhirpath.resolveInternalTypes(
        ask(value, { resource: record, rootResource: record }),
      ) as unknown[];
      if (others.length > 0) return { is: 'unasked', why: 'an expression that gives one value' };
      return { is: first === undefined || first === false ? 'broken' : 'held' };
    } catch {
      // What the engine says of it may repeat a value of the record.
      return { is: 'unasked', why: 'an expression that can be evaluated on this value' };
    }
  };
}
