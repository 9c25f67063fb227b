import { formatCount } from '../../text/language.ts';
import type { Rule, RuleSubject } from '../../types/definition/rule.ts';
import { definitions } from '../../types/generated/definitions.ts';
import { isValueDemand } from '../profiles/profile-rules.ts';
import { maxFindings } from './finding.ts';
import { elementRules } from './rules-element.ts';
import { datatypeRules } from './rules-datatype.ts';
import { narrativeRules } from './rules-narrative.ts';
import { referenceRules } from './rules-reference.ts';
import { resourceRules } from './rules-resource.ts';
import { schemaRules } from './rules-schema.ts';
import { timingRules } from './rules-timing.ts';

/** All rules, in the order of findings at one element. */
export const rules: readonly Rule[] = [
  {
    id: 'stopped',
    severity: 'warning',
    category: 'conformance',
    code: 'too-costly',
    text: `Too many issues: checking stopped at ${formatCount(maxFindings)}. Fix some, then check again.`,
  },
  ...schemaRules,
  ...elementRules,
  ...resourceRules,
  ...datatypeRules,
  ...timingRules,
  ...referenceRules,
  ...narrativeRules,
  ...definitions.flatMap((definition): readonly Rule[] => definition.rules),
];

const byId = new Map(rules.map((rule) => [rule.id, rule]));
const ranks = new Map(rules.map(({ id }, rank) => [id, rank]));

/** Returns true if a name is a rule id, such as the code of a rejection's sentence. */
export function isRule(name: string): boolean {
  return byId.has(name);
}

/**
 * Returns a rule by id.
 *
 * @throws TypeError if the rule does not exist.
 */
export function ruleOf(id: string): Rule {
  const rule = byId.get(id);
  if (!rule) throw new TypeError(`There is no rule ${id}`);
  return rule;
}

/** Returns the index of a rule in the table. */
export function rankOf(id: string): number {
  return ranks.get(id) ?? rules.length;
}

/**
 * Returns the subject of a rule besides its element, also of a profile rule. Undefined for presence and
 * structure.
 */
export function subjectOf(id: string): RuleSubject | undefined {
  return byId.get(id)?.subject ?? (isValueDemand(id) ? 'value' : undefined);
}
