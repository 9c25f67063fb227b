import { expressionAt, type Finding } from '../validation/finding.ts';
import { fillPlaceholders } from '../../text/language.ts';
import type { Message } from '../../text/message.ts';
import {
  profileRules,
  toProfileRuleId,
  type ProfileRuleDefinition,
  type ProfileRuleName,
} from './profile-rules.ts';
import type { Item } from './items.ts';
import type { ConstraintPlan, ElementPlan } from './plan.ts';

/** A profile rule that the available definitions do not decide. It is neither satisfied nor violated. */
export interface UndecidedRule {
  /** Includes `|version`. */
  readonly profile: string;
  /** ElementDefinition.id. */
  readonly element: string;
  readonly tokens: readonly string[];
  /** FHIRPath of the element. */
  readonly expression: string;
  /** The missing thing as a phrase: `CodeSystem http://snomed.info/sct`. */
  readonly needs: string;
  /** The sentence, its message code and its parameters. */
  readonly text: string;
  readonly messageCode: string;
  readonly parameters: Readonly<Record<string, string | number>>;
}

/** A phrase for a missing definition, such as `CodeSystem http://snomed.info/sct`. */
export type MissingDefinition = Message;

export interface ResultSink {
  /** Adds a violated rule of a value, or of an element within it. `detail` fills the sentence. */
  addViolation(demand: ProfileRuleName, plan: ElementPlan, item: Pick<Item, 'tokens'>, detail?: string): void;
  addViolatedConstraint(plan: ElementPlan, constraint: ConstraintPlan, item: Item): void;
  /** Adds an undecided rule and the missing definition. `constraint` is the key of an invariant. */
  addUndecided(plan: ElementPlan, item: Item, needs: MissingDefinition, constraint?: string): void;
  /** Adds an undecided rule of an element that was not compiled. */
  addUndecidedByName(profile: string, element: string, item: Item, needs: MissingDefinition): void;
}

/** Records only whether there is a violation. Most trials find none. */
export class TrialSink implements ResultSink {
  isBroken = false;
  isOpen = false;

  addViolation(demand: ProfileRuleName): void {
    if (profileRules[demand].severity === 'error') this.isBroken = true;
  }

  addViolatedConstraint(_plan: ElementPlan, { severity }: ConstraintPlan): void {
    if (severity === 'error') this.isBroken = true;
  }

  addUndecided(): void {
    this.isOpen = true;
  }

  addUndecidedByName(): void {
    this.isOpen = true;
  }
}

/**
 * Collects findings and undecided rules.
 *
 * `type` is the type of the record.
 */
export class Report implements ResultSink {
  readonly findings: Finding[] = [];
  readonly undecided: UndecidedRule[] = [];
  private readonly type: string;

  constructor(type: string) {
    this.type = type;
  }

  addViolation(
    demand: ProfileRuleName,
    plan: ElementPlan,
    { tokens }: Pick<Item, 'tokens'>,
    detail?: string,
  ): void {
    const { severity, category, code, text, plain = text }: ProfileRuleDefinition = profileRules[demand];
    const sentence = sentenceOf(detail === undefined ? plain : text, plan, detail);
    this.push(plan, tokens, demand, { severity, category, code, ...sentence });
  }

  addViolatedConstraint(plan: ElementPlan, { key, human, severity }: ConstraintPlan, { tokens }: Item): void {
    const { category, code, text } = profileRules.invariant;
    this.push(plan, tokens, key, { severity, category, code, ...sentenceOf(text, plan, human) });
  }

  addUndecided(plan: ElementPlan, item: Item, needs: MissingDefinition, constraint?: string): void {
    this.addUndecidedByName(plan.profile.canonical, plan.id, item, needs, constraint);
  }

  addUndecidedByName(
    profile: string,
    element: string,
    { tokens }: Item,
    need: MissingDefinition,
    constraint?: string,
  ): void {
    const nameParameters = { element: element || profile, ...(constraint !== undefined && { constraint }) };
    const template = constraint === undefined ? elementTemplate : constraintTemplate;
    this.undecided.push({
      profile,
      element,
      tokens,
      expression: expressionAt(this.type, tokens),
      needs: constraint === undefined ? need.text : `${constraint}: ${need.text}`,
      text: fillPlaceholders(template, { ...nameParameters, needs: need.text }),
      messageCode: need.messageCode,
      parameters: { ...need.parameters, ...nameParameters },
    });
  }

  private push(
    plan: ElementPlan,
    tokens: readonly string[],
    kind: string,
    rank: Pick<Finding, 'severity' | 'category' | 'code' | 'text' | 'parameters'>,
  ): void {
    const rule = toProfileRuleId(plan.profile, plan.id, kind);
    const expression = expressionAt(this.type, tokens);
    const diagnostics = `${rule}: ${plan.profile.canonical}`;
    this.findings.push({ rule, ...rank, tokens, expression, diagnostics });
  }
}

const elementTemplate = 'Not checked: {element} needs {needs}.';
const constraintTemplate = 'Not checked: constraint {constraint} of {element} needs {needs}.';

function sentenceOf(template: string, { id: element, profile }: ElementPlan, detail?: string) {
  const parameters = { profile: profile.id, element, ...(detail !== undefined && { detail }) };
  const sentence = fillPlaceholders(`{profile}: ${template}`, parameters);
  // The words of a constraint come from the profile.
  return { text: sentence.endsWith('.') ? sentence : `${sentence}.`, parameters };
}
