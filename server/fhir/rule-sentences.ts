import { formatProfileRule } from '../../core/fhir/profiles/profile-rules.ts';
import { relationRules } from '../../core/fhir/relations.ts';
import { rules } from '../../core/fhir/validation/rules.ts';

export type Sentences = ReadonlyMap<string, string>;

export const noSentences = (): Sentences => new Map();

/** Sentences of the program's own rules. */
export const customMessages: Sentences = new Map([
  ...rules.map(({ id, text }) => [id, text.replace(/ \(?\{name\}\)?/, '')] as const),
  ...Object.entries(relationRules).map(([id, { text }]) => [id, text] as const),
]);

/** Returns the message of a rule without the name of an element. Returns the id of an unknown rule. */
export function formatMessage(rule: string, customSentences: Sentences = noSentences()): string {
  return customMessages.get(rule) ?? customSentences.get(rule) ?? formatProfileRule(rule) ?? rule;
}
