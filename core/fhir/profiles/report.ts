import type { Finding } from '../validation/finding.ts';
import { fillPlaceholders } from '../../text/language.ts';
import type { Message } from '../../text/message.ts';
import { expressionAt } from '../expression.ts';
import { profileRules, toProfileRuleId, type Demand, type ProfileRuleName } from './profile-rules.ts';
import type { Item } from './items.ts';
import type { ConstraintPlan, ElementPlan } from './plan.ts';

/** What a profile asks and what cannot be decided with what is at hand. It is neither passed nor broken. */
export interface Undecided {
  /** With `|version`. */
  readonly profile: string;
  /** ElementDefinition.id. */
  readonly element: string;
  readonly tokens: readonly string[];
  /** FHIRPath of the element. */
  readonly expression: string;
  /** The missing thing as a phrase: `CodeSystem http://snomed.info/sct`. */
  readonly needs: string;
  /** The sentence, its name, and the values that fill it. */
  readonly text: string;
  readonly messageCode: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** A phrase that names something missing: `CodeSystem http://snomed.info/sct`. */
export type Need = Message;

/** What a walk tells of values. */
export interface Sink {
  /** A demand that a value, or what stands at a place within it, breaks; its text has a place for a detail. */
  add(demand: ProfileRuleName, plan: ElementPlan, at: Pick<Item, 'tokens'>, detail?: string): void;
  /** A constraint that does not hold. */
  addBroken(plan: ElementPlan, constraint: ConstraintPlan, at: Item): void;
  /** A demand that cannot be checked, and the missing thing. `constraint` is the key of an invariant. */
  open(plan: ElementPlan, at: Item, needs: Need, constraint?: string): void;
  /** The same of an element that was not compiled. */
  openBy(profile: string, element: string, at: Item, needs: Need): void;
}

/** Only whether anything is found: most of what is tried comes to nothing. */
export class Trial implements Sink {
  isBroken = false;
  isOpen = false;

  add(demand: ProfileRuleName): void {
    if (profileRules[demand].severity === 'error') this.isBroken = true;
  }

  addBroken(_plan: ElementPlan, { severity }: ConstraintPlan): void {
    if (severity === 'error') this.isBroken = true;
  }

  open(): void {
    this.isOpen = true;
  }

  openBy(): void {
    this.isOpen = true;
  }
}

/** Gathers what is found; `type` is the record's. */
export class Report implements Sink {
  readonly findings: Finding[] = [];
  readonly undecided: Undecided[] = [];
  private readonly type: string;

  constructor(type: string) {
    this.type = type;
  }

  add(demand: ProfileRuleName, plan: ElementPlan, { tokens }: Pick<Item, 'tokens'>, detail?: string): void {
    const { severity, category, code, text, plain = text }: Demand = profileRules[demand];
    const sentence = sentenceOf(detail === undefined ? plain : text, plan, detail);
    this.push(plan, tokens, demand, { severity, category, code, ...sentence });
  }

  addBroken(plan: ElementPlan, { key, human, severity }: ConstraintPlan, { tokens }: Item): void {
    const { category, code, text } = profileRules.invariant;
    this.push(plan, tokens, key, { severity, category, code, ...sentenceOf(text, plan, human) });
  }

  open(plan: ElementPlan, at: Item, needs: Need, constraint?: string): void {
    this.openBy(plan.profile.canonical, plan.id, at, needs, constraint);
  }

  openBy(profile: string, element: string, { tokens }: Item, need: Need, constraint?: string): void {
    const named = { element: element || profile, ...(constraint !== undefined && { constraint }) };
    const template = constraint === undefined ? ofElement : ofConstraint;
    this.undecided.push({
      profile,
      element,
      tokens,
      expression: expressionAt(this.type, tokens),
      needs: constraint === undefined ? need.text : `${constraint}: ${need.text}`,
      text: fillPlaceholders(template, { ...named, needs: need.text }),
      messageCode: need.messageCode,
      parameters: { ...need.parameters, ...named },
    });
  }

  private push(
    plan: ElementPlan,
    tokens: readonly string[],
    kind: string,
    ranked: Pick<Finding, 'severity' | 'category' | 'code' | 'text' | 'parameters'>,
  ): void {
    const rule = toProfileRuleId(plan.profile, plan.id, kind);
    const expression = expressionAt(this.type, tokens);
    const diagnostics = `${rule}: ${plan.profile.canonical}`;
    this.findings.push({ rule, ...ranked, tokens, expression, diagnostics });
  }
}

const ofElement = 'Not checked: {element} needs {needs}.';
const ofConstraint = 'Not checked: constraint {constraint} of {element} needs {needs}.';

function sentenceOf(template: string, { id: element, profile }: ElementPlan, detail?: string) {
  const parameters = { profile: profile.id, element, ...(detail !== undefined && { detail }) };
  const sentence = fillPlaceholders(`{profile}: ${template}`, parameters);
  // The words of a constraint are the profile's own.
  return { text: sentence.endsWith('.') ? sentence : `${sentence}.`, parameters };
}
