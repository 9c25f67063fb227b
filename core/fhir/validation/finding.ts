/**
 * core/fhir/validation validates records with tables built by scripts/schema.ts and one table of rules.
 * Called by the server and by the page. Invariant: pure; a finding never repeats a value of the record.
 */
import { fillPlaceholders } from '../../text/language.ts';
import { detailsOf, type OutcomeIssue } from '../outcome.ts';
import type { Category, IssueCode, Rule, Severity } from '../../types/definition/rule.ts';
import type { ResourceType } from '../resource.ts';
import { formatPointer } from '../../json/pointer.ts';
import { maxName } from '../../json/scan.ts';

/** Reference tokens (RFC 6901 section 3) from the record's root. */
export type Tokens = readonly string[];

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  readonly code: IssueCode;
  readonly text: string;
  /** Values in the sentence. The rule is its message code. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly tokens: Tokens;
  /** FHIRPath of the element. */
  readonly expression: string;
  /** Rule id and technical detail. */
  readonly diagnostics: string;
}

/** Maximum findings of one validation: more than a person corrects, fewer than a hostile body could cause. */
export const maxFindings = 1000;

/** Creates the finding of a rule at an element. `name` is the missing element in the rule's sentence. */
export function findingOf(
  rule: Rule,
  type: ResourceType,
  tokens: Tokens,
  detail?: string,
  name?: string,
): Finding {
  const { id, severity, category, code, text } = rule;
  const parameters = name === undefined ? undefined : { name };
  return {
    rule: id,
    severity,
    category,
    code,
    text: parameters ? fillPlaceholders(text, parameters) : text,
    ...(parameters && { parameters }),
    tokens,
    expression: expressionAt(type, tokens),
    diagnostics: detail === undefined ? id : `${id}: ${detail}`,
  };
}

/** Returns a finding as an issue of an OperationOutcome. The rule is the code of its sentence. */
export function issueOfFinding({ rule, parameters, ...finding }: Finding): OutcomeIssue {
  const { severity, code, text, diagnostics, expression } = finding;
  return {
    severity,
    code,
    details: detailsOf({ messageCode: rule, ...(parameters && { parameters }), text }),
    diagnostics,
    expression: [expression],
  };
}

/** Rules that one element can break several times. Their diagnostics name the missing element or R4's key. */
export const brokenInWays: readonly string[] = ['schema-required', 'r4-invariant', 'r4-advice'];

/** Returns the identity of a finding: rule, element and, if the rule can be broken several times, the detail. */
export function identity({ rule, tokens, diagnostics }: Finding): string {
  return JSON.stringify([kindOfFinding(rule, diagnostics), ...tokens]);
}

/** Returns the rule id, or the diagnostics if several findings of the rule can be at one element. */
export function kindOfFinding(rule: string, diagnostics: string | undefined): string {
  return brokenInWays.includes(rule) ? (diagnostics ?? rule) : rule;
}

/**
 * Returns the FHIRPath of the element that reference tokens name: `CarePlan.activity[0].detail.status`. A name that
 * no FHIR element can have is delimited (FHIRPath, Identifiers) and truncated to the longest stored name.
 */
export function expressionAt(type: string, tokens: readonly string[]): string {
  return tokens.reduce(
    (path, token) =>
      /^[0-9]+$/.test(token) ? `${path}[${token.slice(0, maxName)}]` : `${path}.${nameOf(token)}`,
    type,
  );
}

function nameOf(token: string): string {
  if (token.length > maxName) return nameOf(`${token.slice(0, maxName - 1)}…`);
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(token) ? token : `\`${token.replaceAll(/[`\\]/g, '\\$&')}\``;
}

/**
 * Returns the JSON Pointer of an element of `type` from a typed path.
 *
 * `/activity/0/detail`, `activity[0].detail`, `CarePlan.activity[0].detail` and `CarePlan › activity[0] › detail` are
 * equal. Any other text is returned unchanged.
 */
export function pointerOfPath(input: string, type: string): string {
  const path = input.trim();
  if (path === '' || path.startsWith('/')) return path;
  const dotted = path
    .replaceAll(/\s*›\s*/g, '.')
    .replace(/\.$/, '')
    .replaceAll(/\.(?=\[)/g, '');
  return pointerAt(dotted === type || dotted.startsWith(`${type}.`) ? dotted : `${type}.${dotted}`) ?? path;
}

/** Returns the JSON Pointer of a path such as `CarePlan.activity[0].detail`; undefined for other expressions. */
export function pointerAt(expression: string): string | undefined {
  const [type, ...names] = expression.split('.');
  if (type === undefined || !/^[A-Za-z]+$/.test(type)) return undefined;
  const tokens: string[] = [];
  for (const name of names) {
    const [, element, indices = ''] = /^(\w+)((?:\[[0-9]+\])*)$/.exec(name) ?? [];
    if (element === undefined) return undefined;
    tokens.push(element, ...indices.split(/[[\]]+/).filter((index) => index !== ''));
  }
  return formatPointer(tokens);
}

interface Crumb {
  /** `CarePlan`, `activity[0]`, `status`. */
  readonly name: string;
  readonly pointer: string;
}

/** Returns the path from the record to an element. An item and its list are one step. */
export function listBreadcrumbs(type: string, tokens: readonly string[]): Crumb[] {
  const crumbs: Crumb[] = [{ name: type, pointer: '' }];
  tokens.forEach((token, index) => {
    const pointer = formatPointer(tokens.slice(0, index + 1));
    const lastCrumb = crumbs.at(-1);
    if (/^[0-9]+$/.test(token) && lastCrumb && index > 0) {
      crumbs[crumbs.length - 1] = { name: `${lastCrumb.name}[${token}]`, pointer };
    } else crumbs.push({ name: token, pointer });
  });
  return crumbs;
}
