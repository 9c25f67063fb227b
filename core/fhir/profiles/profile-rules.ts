import { fillPlaceholders } from '../../text/language.ts';
import { conformance, type Category, type IssueCode, type Severity } from '../../types/definition/rule.ts';
import type { ProfileName } from './plan.ts';

/** A kind of profile rule: the rank of its findings and their sentence. `{element}` is the ElementDefinition.id. */
export interface ProfileRuleDefinition {
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  readonly text: string;
  /** The sentence without `{detail}`, if only the rule is known. */
  readonly textWithoutDetail?: string;
  /** The sentence of a finding without a detail, if other findings have one. */
  readonly plain?: string;
}

export const profileRules = {
  min: {
    severity: 'error',
    category: 'completeness',
    code: 'required',
    text: '{element} is missing (minimum: {detail}).',
    textWithoutDetail: '{element} is missing.',
  },
  max: {
    ...conformance,
    code: 'structure',
    text: '{element} occurs too often (maximum: {detail}).',
    textWithoutDetail: '{element} occurs too often.',
  },
  type: {
    ...conformance,
    code: 'structure',
    text: '{element} has the wrong type. Allowed: {detail}.',
    textWithoutDetail: '{element} has a type the profile doesn’t allow.',
  },
  'type-profile': {
    ...conformance,
    code: 'structure',
    text: '{element} doesn’t match any of {detail}.',
    textWithoutDetail: '{element} doesn’t match any of the allowed profiles.',
  },
  fixed: { ...conformance, code: 'value', text: '{element} must have the profile’s fixed value.' },
  pattern: { ...conformance, code: 'value', text: '{element} doesn’t match the profile’s pattern.' },
  code: {
    ...conformance,
    code: 'code-invalid',
    text: '{element} has a code outside the required value set {detail}.',
    textWithoutDetail: '{element} has a code the profile doesn’t allow.',
  },
  'code-advised': {
    severity: 'warning',
    category: 'conformance',
    code: 'code-invalid',
    text: '{element} has a code outside {detail}. Use one from it if one fits.',
    textWithoutDetail: '{element} has a code outside the profile’s value set. Use one from it if one fits.',
  },
  length: {
    ...conformance,
    code: 'too-long',
    text: '{element} is longer than {detail} characters.',
    textWithoutDetail: '{element} is longer than the profile allows.',
  },
  least: {
    severity: 'error',
    category: 'plausibility',
    code: 'value',
    text: '{element} is below the minimum.',
  },
  most: {
    severity: 'error',
    category: 'plausibility',
    code: 'value',
    text: '{element} is above the maximum.',
  },
  target: {
    ...conformance,
    code: 'structure',
    text: '{element} must reference {detail}.',
    textWithoutDetail: '{element} references a type the profile doesn’t allow.',
  },
  closed: {
    ...conformance,
    code: 'structure',
    text: '{element} matches no slice, and other values aren’t allowed.',
  },
  order: {
    ...conformance,
    code: 'structure',
    text: '{element} is out of order: {detail}.',
    textWithoutDetail: '{element} is out of order.',
    plain: '{element} is out of order: items outside slices must come last.',
  },
  display: {
    severity: 'warning',
    category: 'conformance',
    code: 'value',
    text: '{element} has a display that differs from its code system.',
  },
  invariant: {
    ...conformance,
    code: 'invariant',
    text: '{element}: {detail}',
    textWithoutDetail: '{element} fails a profile constraint.',
  },
} as const satisfies Readonly<Record<string, ProfileRuleDefinition>>;

export type ProfileRuleName = keyof typeof profileRules;

/** Rules about the value itself. The other rules are about presence, structure or an invariant. */
const valueDemands: ReadonlySet<string> = new Set<ProfileRuleName>([
  ...(['fixed', 'pattern', 'code', 'code-advised', 'least', 'most', 'target', 'display'] as const),
]);

/** Prefix of the rule ids of profiles. */
export const profileFolder = 'profile/';

/**
 * Returns the rule id: `profile/us-core-careplan#CarePlan.category:AssessPlan/min`. Stable over versions of
 * the profile.
 */
export function toProfileRuleId({ id }: ProfileName, element: string, demand: string): string {
  return `${profileFolder}${id}#${element}/${demand}`;
}

/** Returns true for the rule id of a profile. */
export function isProfileRule(rule: string): boolean {
  return rule.startsWith(profileFolder);
}

const demandRule = /^profile\/([^#]*)#(.*)\/([^/]*)$/;

/** Returns true if a profile's rule is about the value of the element (`RuleSubject`). */
export function isValueDemand(rule: string): boolean {
  return valueDemands.has(demandRule.exec(rule)?.[3] ?? '');
}

/** Returns the sentence of a profile's rule from the rule id; undefined for other rules. */
export function formatProfileRule(rule: string): string | undefined {
  const [, id = '', element = '', demand = ''] = demandRule.exec(rule) ?? [];
  if (id === '') return undefined;
  if (!isDemand(demand)) return `${id}: ${element} fails the constraint ${demand}.`;
  const { text, textWithoutDetail = text }: ProfileRuleDefinition = profileRules[demand];
  return `${id}: ${fillPlaceholders(textWithoutDetail, { element })}`;
}

function isDemand(name: string): name is ProfileRuleName {
  return Object.hasOwn(profileRules, name);
}
