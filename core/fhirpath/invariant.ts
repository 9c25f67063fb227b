/** Asks an invariant of a profile (FHIR R4 elementdefinition-definitions.html#ElementDefinition.constraint) of elements. */
import fhirpath from 'fhirpath';
import { defineMessages, type Message } from '../text/message.ts';
import { compile, exceededLimit, messageOf } from './engine.ts';

const needs = defineMessages('needs', {
  characters: 'an expression of at most {n} characters',
  brackets: 'an expression with at most {n} nested brackets',
  beyond: 'an answer to {name}, which needs a server',
  parsed: 'an expression that can be parsed: {detail}',
  oneValue: 'an expression that returns one value',
  evaluated: 'an expression that can be evaluated on this value',
});

/** What an invariant came to for one element. */
export type Held = { readonly is: 'held' | 'broken' } | { readonly is: 'unasked'; readonly needs: Message };

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
  if (limit) return () => ({ is: 'unasked', needs: needs[limit.exceeds]({ n: limit.n }) });
  const outside = beyond.exec(expression)?.[0];
  if (outside !== undefined)
    return () => ({ is: 'unasked', needs: needs.beyond({ name: outside.replace(/\s*\($/, '()') }) });
  let ask: (value: unknown, environment: Record<string, unknown>) => unknown;
  try {
    ask = compile(expression, base);
  } catch (error) {
    const unparsed = needs.parsed({ detail: messageOf(error) });
    return () => ({ is: 'unasked', needs: unparsed });
  }
  return (value, record) => {
    try {
      const [first, ...others] = fhirpath.resolveInternalTypes(
        ask(value, { resource: record, rootResource: record }),
      ) as unknown[];
      if (others.length > 0) return { is: 'unasked', needs: needs.oneValue() };
      return { is: first === undefined || first === false ? 'broken' : 'held' };
    } catch {
      // What the engine says of it may repeat a value of the record.
      return { is: 'unasked', needs: needs.evaluated() };
    }
  };
}
