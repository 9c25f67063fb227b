import { items, stringMember, type JsonNode, type JsonObject } from '../../json/node.ts';
import { defineMessages } from '../../text/message.ts';
import type { Finding } from '../validation/finding.ts';
import { wholeItem } from './items.ts';
import type { Library } from './library.ts';
import { Report, type UndecidedRule } from './report.ts';
import { Walk, type WalkEnvironment } from './walk.ts';

const needs = defineMessages('needs', { evaluator: 'a FHIRPath evaluator' });

/** Result of validating a record against profiles. */
export interface ProfileValidationResult {
  /** Without duplicates, in no order. */
  readonly findings: readonly Finding[];
  readonly undecidedRules: readonly UndecidedRule[];
  /** Canonicals of profiles that are not available or not of the record's type. */
  readonly missingProfiles: readonly string[];
}

/** The environment without other resources and without a FHIRPath evaluator. */
export const emptyEnvironment: WalkEnvironment = {
  resolve: () => undefined,
  evaluateInvariant: () => needs.evaluator(),
};

/**
 * Validates a record against profiles, and its extensions against available definitions. Never throws.
 *
 * Rules that cannot be decided are reported as undecided.
 */
export function validateAgainst(
  canonicals: readonly string[],
  record: JsonObject,
  type: string,
  library: Library,
  environment: WalkEnvironment = emptyEnvironment,
): ProfileValidationResult {
  const report = new Report(type);
  const walk = new Walk(library, record, type, environment);
  const recordItem = wholeItem(record, []);
  const missing: string[] = [];
  for (const canonical of new Set(canonicals)) {
    const plan = library.profile(canonical);
    if (!plan || (plan.type !== '' && plan.type !== type)) missing.push(canonical);
    else walk.profile(plan, recordItem, report);
  }
  if (missing.length < canonicals.length)
    extensionsIn(record, [], (extension, tokens) => {
      const plan = library.profile(stringMember(extension, 'url') ?? '');
      if (plan?.type === 'Extension') walk.profile(plan, wholeItem(extension, tokens.map(String)), report);
    });
  return {
    findings: dedupe(
      report.findings,
      ({ rule, tokens }) => `${withoutOuterSlices(rule)} ${tokens.join('/')}`,
    ),
    undecidedRules: dedupe(report.undecided, (rule) =>
      [rule.profile, rule.element, rule.needs, ...rule.tokens].join(' '),
    ),
    missingProfiles: missing,
  };
}

/**
 * Removes the outer slices of a rule id. A slice repeats the rules of its element and comes later, so its id
 * remains.
 */
function withoutOuterSlices(rule: string): string {
  return rule.replaceAll(/:[^./]*(?=\.)/g, '');
}

function dedupe<One>(values: readonly One[], keyOf: (value: One) => string): readonly One[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** Visits every extension of a record. The profile of an extension covers nested ones. */
function extensionsIn(
  node: JsonNode,
  tokens: (string | number)[],
  visit: (extension: JsonObject, tokens: readonly (string | number)[]) => void,
): void {
  if (node.kind === 'array') {
    for (let index = 0; index < node.items.length; index += 1) {
      const item = node.items[index];
      if (item?.kind !== 'object') continue;
      tokens.push(index);
      extensionsIn(item, tokens, visit);
      tokens.pop();
    }
  }
  if (node.kind !== 'object') return;
  for (const { key, value } of node.members) {
    if (value.kind !== 'object' && value.kind !== 'array') continue;
    tokens.push(key);
    if (key !== 'extension' && key !== 'modifierExtension') extensionsIn(value, tokens, visit);
    else
      for (const [index, item] of items(value).entries()) {
        if (item.kind === 'object') visit(item, [...tokens, index]);
      }
    tokens.pop();
  }
}
