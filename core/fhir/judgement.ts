import type { JsonFault } from '../json/fault.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer, locate, parsePointer } from '../json/pointer.ts';
import { headOf, reach } from '../json/reach.ts';
import { maxDepth, tryScan } from '../json/scan.ts';
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
export interface Judgement {
  /** In the order of the text, at most {@link mostIssues}. */
  readonly issues: readonly Issue[];
  /** How many there are. */
  readonly total: number;
  /** Absent where the text is not a JSON object. */
  readonly card?: RecordCard;
}

/** More than a person reads; the count is exact whatever is shown. */
const mostIssues = 1000;

const jsonRule = 'json';

/** What was found elsewhere, by who knows more than the rules. */
export type FoundElsewhere = Pick<Issue, 'rule' | 'severity' | 'category' | 'text'> & {
  readonly pointer: string;
};

/**
 * Judges the exact text of a record: its syntax, and where that holds, FHIR's rules, the steward's, and what was `found`
 * elsewhere at elements that the text has. Never throws.
 */
export function judge(
  text: string,
  type: ResourceType,
  today: string,
  found: readonly FoundElsewhere[] = [],
): Judgement {
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
): Judgement {
  if (!root) return { issues: faults.map((fault) => issueOfFault(fault, type)), total: faults.length };
  if (root.kind !== 'object') {
    const message = 'The text is not a JSON object; write one record.';
    const only = issueOfFault({ kind: 'syntax', message, start: 0, end: 1, path: [] }, type);
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

type Placed = Pick<Finding, 'rule' | 'severity' | 'category' | 'text' | 'expression' | 'tokens'>;

function issueOf(finding: Placed, root: JsonObject): Issue {
  const { rule, severity, category, text, expression, tokens } = finding;
  const { start, end } = headOf(reach(root, tokens));
  return { rule, severity, category, text, expression, pointer: formatPointer(tokens), start, end };
}

function issueOfFault({ kind, message, path, start, end }: JsonFault, type: ResourceType): Issue {
  return {
    rule: kind === 'syntax' ? jsonRule : `${jsonRule}-${kind}`,
    severity: 'error',
    category: 'conformance',
    text: message.endsWith('.') ? message : `${message}.`,
    expression: expressionAt(type, path),
    ...(kind !== 'syntax' && { pointer: formatPointer(path) }),
    start,
    end,
  };
}
