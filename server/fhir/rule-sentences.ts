import { sentenceOfDemand } from '../../core/fhir/profiles/demands.ts';
import { relationRules } from '../../core/fhir/relations.ts';
import { rules } from '../../core/fhir/validation/rules.ts';

/** Sentences by rule. */
export type Sentences = ReadonlyMap<string, string>;

export const noSentences = (): Sentences => new Map();

/** Those of the program's own rules. */
export const ownSentences: Sentences = new Map([
  ...rules.map(({ id, text }) => [id, text.replace(' {}', '')] as const),
  ...Object.entries(relationRules).map(([id, { text }]) => [id, text] as const),
]);

/** A rule's sentence without the name of an element; its id where it is neither the program's nor one of the others. */
export function sentenceOf(rule: string, others: Sentences = noSentences()): string {
  return ownSentences.get(rule) ?? others.get(rule) ?? sentenceOfDemand(rule) ?? rule;
}
