import type { JsonObject, JsonNode } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { findingOf, maxFindings, identity, type Finding, type Tokens } from './finding.ts';
import { ruleOf, rankOf } from './rules.ts';
import { visit } from './visit.ts';
import { formatPointer } from '../../json/pointer.ts';

export interface ValidateOptions {
  /** Calendar date (YYYY-MM-DD) that decides which dates are overdue. */
  readonly today: string;
  /** Maximum number of findings. Defaults to {@link maxFindings}. */
  readonly maxFindings?: number;
}

/** The findings of one validation and the instant until which they hold. */
export interface ValidationResult {
  readonly findings: Finding[];
  /**
   * First midnight (UTC, ms since 1970) at which the findings change with the calendar. Absent if they never
   * change.
   */
  readonly revalidateAtMs?: number;
}

/**
 * Validates a record against R4, its invariants and the custom rules. Never throws.
 *
 * @param options.today - Calendar date (YYYY-MM-DD) that decides which dates are overdue.
 * @param options.maxFindings - Count; the first finding reports a truncated list.
 * @returns Findings in document order, one per rule and element. A missing element is reported at its parent.
 * @see FHIR R4 validation.html
 */
export function validateRecord(
  record: JsonObject,
  type: ResourceType,
  { today, maxFindings: limit = maxFindings }: ValidateOptions,
): ValidationResult {
  // Requests one extra finding to detect a truncated list.
  const { findings, revalidateAtMs } = visit(record, type, today, limit + 1);
  const arranged = arrange(findings, record);
  return {
    findings:
      arranged.length > limit
        ? [findingOf(ruleOf('stopped'), type, []), ...arranged.slice(0, limit)]
        : arranged,
    ...(revalidateAtMs !== undefined && { revalidateAtMs }),
  };
}

/** Returns only the findings of {@link validateRecord}. */
export function validate(record: JsonObject, type: ResourceType, options: ValidateOptions): Finding[] {
  return validateRecord(record, type, options).findings;
}

/**
 * Returns the findings of a baseline version. Its limit is higher: if the later version corrects some of very
 * many findings, the newly visible ones are old.
 */
export function validateBaseline(record: JsonObject, type: ResourceType, today: string): Finding[] {
  return validate(record, type, { today, maxFindings: 10 * maxFindings });
}

/** A broken rule, and the test for rules whose findings it suppresses at the same element. */
interface Deciding {
  readonly rule: string;
  readonly silences: (rule: string) => boolean;
}

/** Rules that suppress other findings at the same element. */
const decisive: Readonly<Record<string, Deciding['silences']>> = {
  empty: () => true,
  'ele-1': () => true,
  sibling: (rule) => rule.startsWith('schema-'),
  'schema-type': (rule) => rule.startsWith('schema-'),
};
/** Object size from which members are looked up through an index. */
const manyMembers = 32;

/** Returns one finding per rule and element in document order, without echoes of the same defect. */
function arrange(findings: readonly Finding[], record: JsonObject): Finding[] {
  if (findings.length === 0) return [];
  const unique = [...new Map(findings.map((finding) => [identity(finding), finding])).values()];
  const deciding = new Map<string, Deciding[]>();
  for (const { rule, tokens } of unique) {
    const silences = decisive[rule];
    if (!silences) continue;
    const pointer = formatPointer(tokens);
    deciding.set(pointer, [...(deciding.get(pointer) ?? []), { rule, silences }]);
  }
  const remaining = unique.filter(({ rule, tokens }) => {
    const decidingRules = deciding.get(formatPointer(tokens)) ?? [];
    return !decidingRules.some((deciding) => deciding.rule !== rule && deciding.silences(rule));
  });
  const places = new Places(record);
  return remaining
    .map((finding) => ({ finding, place: places.getPath(finding.tokens) }))
    .sort(
      (leftFinding, rightFinding) =>
        compare(leftFinding.place, rightFinding.place) ||
        rankOf(leftFinding.finding.rule) - rankOf(rightFinding.finding.rule),
    )
    .map(({ finding }) => finding);
}

function compare(leftPath: readonly number[], rightPath: readonly number[]): number {
  for (const [index, position] of leftPath.entries()) {
    const difference = position - (rightPath[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return leftPath.length - rightPath.length;
}

/** Finds the position of elements in the document: the index of the member or item on each level. */
class Places {
  private readonly record: JsonObject;
  private readonly indexes = new Map<JsonObject, Map<string, number>>();

  constructor(record: JsonObject) {
    this.record = record;
  }

  getPath(tokens: Tokens): number[] {
    const place: number[] = [];
    let node: JsonNode | undefined = this.record;
    for (const token of tokens) {
      if (node?.kind === 'object') {
        const position = this.position(node, token);
        place.push(position);
        node = node.members[position]?.value;
      } else {
        place.push(Number(token));
        node = node?.kind === 'array' ? node.items[Number(token)] : undefined;
      }
    }
    return place;
  }

  private position(object: JsonObject, key: string): number {
    const { members } = object;
    if (members.length < manyMembers) return members.findIndex((entry) => entry.key === key);
    let index = this.indexes.get(object);
    if (!index) {
      index = new Map(members.map((entry, position) => [entry.key, position]));
      this.indexes.set(object, index);
    }
    return index.get(key) ?? -1;
  }
}
