import type { Rule, RuleSubject } from '../../types/definition/rule.ts';
import { definitions } from '../../types/generated/definitions.ts';
import { isValueDemand } from '../profiles/demands.ts';
import { mostFindings } from './finding.ts';
import { elementRules } from './rules-element.ts';
import { datatypeRules } from './rules-datatype.ts';
import { narrativeRules } from './rules-narrative.ts';
import { referenceRules } from './rules-reference.ts';
import { resourceRules } from './rules-resource.ts';
import { schemaRules } from './rules-schema.ts';
import { timingRules } from './rules-timing.ts';

/** Every rule there is, in the order in which the findings of one element are listed. */
export const rules: readonly Rule[] = [
  {
    id: 'stopped',
    severity: 'warning',
    category: 'conformance',
    code: 'too-costly',
    text: `The record has more than ${mostFindings} findings, and validation stopped there; mend some, and validate again.`,
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

/** @throws TypeError where there is no such rule. */
export function ruleOf(id: string): Rule {
  const rule = byId.get(id);
  if (!rule) throw new TypeError(`There is no rule ${id}`);
  return rule;
}

/** The rule's place in the table. */
export function rankOf(id: string): number {
  return ranks.get(id) ?? rules.length;
}

/** Returns what a rule is about beside its element, also for a profile's demand; undefined for presence and structure. */
export function subjectOf(id: string): RuleSubject | undefined {
  return byId.get(id)?.about ?? (isValueDemand(id) ? 'value' : undefined);
}
