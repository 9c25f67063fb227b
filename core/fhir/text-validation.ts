import type { JsonProblem } from '../json/json-problem.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import { headOf, resolveNearest } from '../json/nearest-element.ts';
import { maxDepth, tryScan } from '../json/scan.ts';
import type { MessageParameters } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { cardOf, type RecordCard } from './card/card.ts';
import { limits } from './limits.ts';
import type { ResourceType } from './resource.ts';
import type { Category, Severity } from '../types/definition/rule.ts';
import { expressionAt, type Finding } from './validation/finding.ts';
import { validate } from './validation/validate.ts';

/** One issue and its location in the validated text. */
export interface Issue {
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  /** One sentence with a next step. */
  readonly text: string;
  /** Name of the sentence if it differs from the rule. */
  readonly messageCode?: string;
  /** Values of the sentence's placeholders. */
  readonly parameters?: MessageParameters;
  /** FHIRPath of the element. */
  readonly expression: string;
  /** JSON Pointer of the element; absent at the end of valid JSON. */
  readonly pointer?: string;
  /** Characters to mark: UTF-16 offsets, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** Key of the finding. It stays the same in every text, wherever its element moves. */
  readonly key?: string;
  /** The profile of the rule, with `|version`; absent for rules of R4 and custom checks. */
  readonly profile?: string;
}

/** Data that an editor shows with a text. */
export interface TextValidation {
  /** In the order of the text; the number is limited. */
  readonly issues: readonly Issue[];
  /** Number of issues without the limit. */
  readonly total: number;
  /** Absent if the text is not a JSON object. */
  readonly card?: RecordCard;
}

/** More than a person reads. The total is exact. */
const maxShownIssues = 1000;

const messages = defineMessages('json', { notAnObject: 'Not a JSON object.' });

const jsonRule = 'json';

/** A finding of the store, which can compare records. */
export type ExternalFinding = Pick<Issue, 'rule' | 'severity' | 'category' | 'text' | 'parameters'> & {
  readonly pointer: string;
};

/** Parses a text for {@link validateParsed}. */
export function parseForValidation(text: string): ParsedText {
  return tryScan(text, maxDepth, limits.values);
}

type ParsedText = ReturnType<typeof tryScan>;

/**
 * Validates the exact text of a record that {@link parseForValidation} has parsed: its syntax, then FHIR's rules and
 * custom checks. Adds findings of the store at elements of the text. Never throws.
 */
export function validateParsed(
  { root, problems }: ParsedText,
  type: ResourceType,
  today: string,
  storeFindings: readonly ExternalFinding[],
): TextValidation {
  if (!root) return { issues: problems.map((fault) => issueOfFault(fault, type)), total: problems.length };
  if (root.kind !== 'object') {
    const fault = { kind: 'syntax', ...messages.notAnObject(), start: 0, end: 1, path: [] } as const;
    const issue = issueOfFault(fault, type);
    return { issues: [issue], total: 1 };
  }
  const locatedFindings = storeFindings.flatMap(({ pointer, ...finding }): LocatedFinding[] => {
    const tokens = parsePointer(pointer);
    if (!tokens || !locate(root, tokens)) return [];
    return [{ ...finding, tokens, expression: expressionAt(type, tokens) }];
  });
  const findings = [...validate(root, type, { today }), ...locatedFindings];
  const issues = [
    ...problems.map((fault) => issueOfFault(fault, type)),
    ...findings.slice(0, maxShownIssues).map((finding) => issueOf(finding, root)),
  ];
  return {
    issues:
      locatedFindings.length > 0
        ? issues.toSorted((leftIssue, rightIssue) => leftIssue.start - rightIssue.start)
        : issues,
    total: problems.length + findings.length,
    card: cardOf(root, today),
  };
}

type LocatedFinding = Pick<Issue, 'rule' | 'severity' | 'category' | 'text' | 'parameters' | 'expression'> &
  Pick<Finding, 'tokens'>;

function issueOf({ tokens, ...finding }: LocatedFinding, root: JsonObject): Issue {
  const { rule, severity, category, text, parameters, expression } = finding;
  const { start, end } = headOf(resolveNearest(root, tokens));
  return {
    rule,
    severity,
    category,
    text,
    ...(parameters && { parameters }),
    expression,
    pointer: formatPointer(tokens),
    start,
    end,
  };
}

function issueOfFault({ kind, path, start, end, ...message }: JsonProblem, type: ResourceType): Issue {
  return {
    rule: kind === 'syntax' ? jsonRule : `${jsonRule}-${kind}`,
    severity: 'error',
    category: 'conformance',
    ...message,
    expression: expressionAt(type, path),
    ...(kind !== 'syntax' && { pointer: formatPointer(path) }),
    start,
    end,
  };
}
