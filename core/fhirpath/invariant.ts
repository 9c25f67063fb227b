/**
 * Evaluates invariants of profiles (FHIR R4 elementdefinition-definitions.html#ElementDefinition.constraint)
 * on elements.
 */
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

export type InvariantResult =
  | { readonly status: 'held' | 'broken' }
  | { readonly status: 'unasked'; readonly needs: Message };

/** Functions that need another record or a terminology server. */
const unsupportedFunctions =
  /\b(?:resolve|memberOf|conformsTo|subsumes|subsumedBy|validateVS|htmlChecks\d?)\s*\(|%terminologies|%`?(?:vs|ext)-/;

/**
 * Compiles an invariant for values of an element. An invalid expression gives a function that returns
 * `unasked` with the reason.
 *
 * @param base - Path or type of the element. The engine derives the types below it.
 */
export function compileInvariant(
  base: string,
  expression: string,
): (value: unknown, record: unknown) => InvariantResult {
  const limit = exceededLimit(expression);
  if (limit) return () => ({ status: 'unasked', needs: needs[limit.exceeds]({ n: limit.n }) });
  const unsupportedFunction = unsupportedFunctions.exec(expression)?.[0];
  if (unsupportedFunction !== undefined)
    return () => ({
      status: 'unasked',
      needs: needs.beyond({ name: unsupportedFunction.replace(/\s*\($/, '()') }),
    });
  let evaluate: (value: unknown, environment: Record<string, unknown>) => unknown;
  try {
    evaluate = compile(expression, base);
  } catch (error) {
    const parseProblem = needs.parsed({ detail: messageOf(error) });
    return () => ({ status: 'unasked', needs: parseProblem });
  }
  return (value, record) => {
    try {
      const [firstValue, ...furtherValues] = fhirpath.resolveInternalTypes(
        evaluate(value, { resource: record, rootResource: record }),
      ) as unknown[];
      if (furtherValues.length > 0) return { status: 'unasked', needs: needs.oneValue() };
      return { status: firstValue === undefined || firstValue === false ? 'broken' : 'held' };
    } catch {
      // The engine's message may contain a value of the record.
      return { status: 'unasked', needs: needs.evaluated() };
    }
  };
}
