import { formatProfileRule } from '../../core/fhir/profiles/profile-rules.ts';
import { relationRules } from '../../core/fhir/relations.ts';
import { rules } from '../../core/fhir/validation/rules.ts';

/** Sentences by rule. */
export type Sentences = ReadonlyMap<string, string>;

export const noSentences = (): Sentences => new Map();

/** Those of the program's own rules. */
export const customMessages: Sentences = new Map([
  ...rules.map(({ id, text }) => [id, text.replace(' {name}', '')] as const),
  ...Object.entries(relationRules).map(([id, { text }]) => [id, text] as const),
]);

/** A rule's sentence without the name of an element; its id where it is neither the program's nor one of the others. */
export function formatMessage(rule: string, others: Sentences = noSentences()): string {
  return customMessages.get(rule) ?? others.get(rule) ?? formatProfileRule(rule) ?? rule;
}
