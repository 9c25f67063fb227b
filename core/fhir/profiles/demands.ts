import { conformance, type Category, type IssueCode, type Severity } from '../../types/definition/rule.ts';
import type { ProfileName } from './plan.ts';

/** A kind of demand: how its findings are ranked, and what they say. `{}` stands for the element, `[]` for a detail. */
interface Demand {
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  readonly text: string;
  /** The same where only the rule is known: the detail stands in the profile. */
  readonly alone?: string;
}

export const demands = {
  min: {
    severity: 'error',
    category: 'completeness',
    code: 'required',
    text: '{} is missing: at least [].',
    alone: '{} is missing.',
  },
  max: {
    ...conformance,
    code: 'structure',
    text: '{} stands too often: at most [].',
    alone: '{} stands too often.',
  },
  type: {
    ...conformance,
    code: 'structure',
    text: '{} has another type; it takes [].',
    alone: '{} has another type than the profile allows.',
  },
  'type-profile': {
    ...conformance,
    code: 'structure',
    text: '{} fulfils none of [].',
    alone: '{} fulfils none of the profiles that the profile names.',
  },
  fixed: { ...conformance, code: 'value', text: '{} has another value than the one that is fixed.' },
  pattern: { ...conformance, code: 'value', text: '{} lacks what its pattern demands.' },
  code: {
    ...conformance,
    code: 'code-invalid',
    text: '{} has a code that is not in [].',
    alone: '{} has a code that the profile does not allow.',
  },
  'code-advised': {
    ...{ severity: 'warning', category: 'conformance', code: 'code-invalid' },
    text: '{} has a code that is not in []; take one of it where one fits.',
    alone: '{} has a code that the profile advises against; take one that it names where one fits.',
  },
  length: {
    ...conformance,
    code: 'too-long',
    text: '{} is longer than [] characters.',
    alone: '{} is longer than the profile allows.',
  },
  least: { severity: 'error', category: 'plausibility', code: 'value', text: '{} is below the least value.' },
  most: {
    severity: 'error',
    category: 'plausibility',
    code: 'value',
    text: '{} is above the greatest value.',
  },
  target: {
    ...conformance,
    code: 'structure',
    text: '{} refers to another resource than [].',
    alone: '{} refers to another resource than the profile allows.',
  },
  closed: {
    ...conformance,
    code: 'structure',
    text: '{} is in none of the slices, and others are not allowed.',
  },
  order: {
    ...conformance,
    code: 'structure',
    text: '{} stands out of order: [].',
    alone: '{} stands out of order.',
  },
  display: {
    ...{ severity: 'warning', category: 'conformance', code: 'value' },
    text: '{} has another display than its code system gives the code.',
  },
  invariant: {
    ...conformance,
    code: 'invariant',
    text: '{}: []',
    alone: '{} breaks an invariant of the profile.',
  },
} as const satisfies Readonly<Record<string, Demand>>;

export type DemandName = keyof typeof demands;

/** Demands about the value itself; the others are about presence, structure or an invariant. */
const valueDemands: ReadonlySet<string> = new Set<DemandName>([
  ...(['fixed', 'pattern', 'code', 'code-advised', 'least', 'most', 'target', 'display'] as const),
]);

/** Beginning of the rule under which the findings of profiles stand. */
export const profileFolder = 'profile/';

/** The rule of a demand: `profile/us-core-careplan#CarePlan.category:AssessPlan/min`. Stable over versions of the profile. */
export function ruleOfDemand({ id }: ProfileName, element: string, demand: string): string {
  return `${profileFolder}${id}#${element}/${demand}`;
}

/** Whether a rule is a profile's demand. */
export function isProfileRule(rule: string): boolean {
  return rule.startsWith(profileFolder);
}

const demandRule = /^profile\/([^#]*)#(.*)\/([^/]*)$/;

/** Returns true if a profile's rule is about the value of the element, as `RuleSubject` has it. */
export function isValueDemand(rule: string): boolean {
  return valueDemands.has(demandRule.exec(rule)?.[3] ?? '');
}

/** The sentence of a profile's rule, by the rule alone; undefined for every other. */
export function sentenceOfDemand(rule: string): string | undefined {
  const [, id = '', element = '', demand = ''] = demandRule.exec(rule) ?? [];
  if (id === '') return undefined;
  if (!isDemand(demand)) return `${id}: ${element} breaks the invariant ${demand}.`;
  const { text, alone = text }: Demand = demands[demand];
  return `${id}: ${alone.replace('{}', () => element)}`;
}

function isDemand(name: string): name is DemandName {
  return Object.hasOwn(demands, name);
}
