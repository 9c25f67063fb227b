import type { JsonProblem } from '../json/json-problem.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import { headOf, resolveNearest } from '../json/nearest-element.ts';
import { maxDepth, tryScan } from '../json/scan.ts';
import type { MessageParameters } from '../text/language.ts';
import { defineMessages } from '../text/message.ts';
import { cardOf, type RecordCard } from './card/card.ts';
import { expressionAt } from './expression.ts';
import { limits } from './limits.ts';
import type { ResourceType } from './resource.ts';
import type { Category, Severity } from '../types/definition/rule.ts';
import type { Finding } from './validation/finding.ts';
import { validate } from './validation/validate.ts';

/** One thing to look into, and where it stands in the text that was judged. */
export interface Issue {
  readonly rule: string;
  readonly severity: Severity;
  readonly category: Category;
  /** One sentence that a person can act on. */
  readonly text: string;
  /** Name of the sentence, if it is not the rule. */
  readonly messageCode?: string;
  /** Values that the sentence was filled with. */
  readonly parameters?: MessageParameters;
  /** FHIRPath of the element. */
  readonly expression: string;
  /** JSON Pointer of the element; absent where the text stops to be JSON. */
  readonly pointer?: string;
  /** The characters to point at: UTF-16 offsets, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  /** Names the finding: it has the same key in each text in which it is found, wherever its element moves. */
  readonly key?: string;
  /** The profile that asks for it, with `|version`; absent where R4 or a steward does. */
  readonly profile?: string;
}

/** What an editor shows beside a text. */
export interface TextValidation {
  /** In the order of the text, at most {@link maxIssues}. */
  readonly issues: readonly Issue[];
  /** How many there are. */
  readonly total: number;
  /** Absent where the text is not a JSON object. */
  readonly card?: RecordCard;
}

/** More than a person reads; the count is exact whatever is shown. */
const mostIssues = 1000;

const messages = defineMessages('json', { notAnObject: 'Not a JSON object.' });

const jsonRule = 'json';

/** What was found elsewhere, by who knows more than the rules. */
export type FoundElsewhere = Pick<Issue, 'rule' | 'severity' | 'category' | 'text' | 'parameters'> & {
  readonly pointer: string;
};

/**
 * Judges the exact text of a record: its syntax, and where that holds, FHIR's rules, the steward's, and what was `found`
 * elsewhere at elements that the text has. Never throws.
 */
export function validateText(
  text: string,
  type: ResourceType,
  today: string,
  found: readonly FoundElsewhere[] = [],
): TextValidation {
  return judgeRead(readToJudge(text), type, today, found);
}

/** Returns a text read for {@link judgeRead}. */
export function readToJudge(text: string): ReadToJudge {
  return tryScan(text, maxDepth, limits.values);
}

type ReadToJudge = ReturnType<typeof tryScan>;

/** Judges a text that was read by {@link readToJudge}. */
export function judgeRead(
  { root, faults }: ReadToJudge,
  type: ResourceType,
  today: string,
  found: readonly FoundElsewhere[],
): TextValidation {
  if (!root) return { issues: faults.map((fault) => issueOfFault(fault, type)), total: faults.length };
  if (root.kind !== 'object') {
    const fault = { kind: 'syntax', ...messages.notAnObject(), start: 0, end: 1, path: [] } as const;
    const only = issueOfFault(fault, type);
    return { issues: [only], total: 1 };
  }
  const elsewhere = found.flatMap(({ pointer, ...one }): Placed[] => {
    const tokens = parsePointer(pointer);
    if (!tokens || !locate(root, tokens)) return [];
    return [{ ...one, tokens, expression: expressionAt(type, tokens) }];
  });
  const findings = [...validate(root, type, { today }), ...elsewhere];
  const issues = [
    ...faults.map((fault) => issueOfFault(fault, type)),
    ...findings.slice(0, mostIssues).map((finding) => issueOf(finding, root)),
  ];
  return {
    issues: elsewhere.length > 0 ? issues.toSorted((one, other) => one.start - other.start) : issues,
    total: faults.length + findings.length,
    card: cardOf(root, today),
  };
}

type Placed = Pick<Issue, 'rule' | 'severity' | 'category' | 'text' | 'parameters' | 'expression'> &
  Pick<Finding, 'tokens'>;

function issueOf({ tokens, ...finding }: Placed, root: JsonObject): Issue {
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
