import { equal, serializeNode, type JsonObject, type JsonNode } from '../../json/node.ts';
import type { ResourceType } from '../resource.ts';
import { findingOf, maxFindings, identity, kindOfFinding, type Finding, type Tokens } from './finding.ts';
import { ruleOf, rankOf, rules, subjectOf } from './rules.ts';
import { releaseRule } from './rules-release.ts';
import { visit } from './visit.ts';
import { formatPointer, locate, parsePointer } from '../../json/pointer.ts';
import type { ValidationLevel } from './levels.ts';
import { alignElements, type ElementAlignment } from '../../json/align.ts';
import type { FindingMove, IssueRow } from '../issue-row.ts';

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
  [releaseRule]: (rule) => rule === 'schema-unknown',
};
/** Object size from which members are looked up through an index. */
const manyMembers = 32;

/**
 * Returns one finding per rule and element in document order, without echoes of the same defect. Findings that name
 * another release of FHIR come first, because they explain the others (row 100).
 */
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
        Number(rightFinding.finding.rule === releaseRule) -
          Number(leftFinding.finding.rule === releaseRule) ||
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

interface Save {
  readonly type: ResourceType;
  /** The current version and the version that would replace it. */
  readonly versions: VersionPair;
  readonly findings: readonly Finding[];
  readonly level: ValidationLevel;
  /** A date (YYYY-MM-DD). */
  readonly today: string;
}

/**
 * Returns the errors for which an update is rejected: the errors that it adds (row 13a). Used by the server and
 * the page.
 */
export function rejectedFindings({ type, versions, findings, level, today }: Save): Finding[] {
  const errors = listRejections(findings, level);
  // Validates the previous version only if the new one has errors.
  if (errors.length === 0) return [];
  return versions.addedFindings(errors, validateBaseline(versions.before, type, today));
}

/** Rules whose errors the level `standard` stores and flags. */
const flaggedRules: ReadonlySet<string> = new Set(rules.filter((rule) => rule.flagged).map(({ id }) => id));
/** An element inside a contained resource. Errors of the resource as a whole are outside it. */
const insideContained = /^\w+\.contained\[\d+\]./;

/** Returns the findings for which a level rejects a record (rows 13 and 13b). Never rejects a warning. */
export function listRejections<T extends Pick<Finding, 'rule' | 'severity' | 'expression'>>(
  findings: readonly T[],
  level: ValidationLevel,
): T[] {
  switch (level) {
    case 'off':
      return [];
    case 'standard':
      return findings.filter(
        ({ severity, rule, expression }) =>
          severity === 'error' && !flaggedRules.has(rule) && !insideContained.test(expression),
      );
    case 'strict':
      return findings.filter(({ severity }) => severity === 'error');
  }
}

// Decides which findings of two versions of a record are the same finding. Called by the save gate of the
// server and of the page, by bulk edits, and for the states of findings. Invariant: only core/json/align.ts
// pairs elements.

/** The compared part of a finding. */
type ComparableFinding = Pick<Finding, 'rule' | 'tokens' | 'diagnostics'>;

/** Two versions of a record. Their elements are aligned once, when a comparison first needs it. */
export class VersionPair {
  readonly before: JsonObject;
  readonly after: JsonObject;
  private aligned: ElementAlignment | undefined;

  constructor(before: JsonObject, after: JsonObject) {
    this.before = before;
    this.after = after;
  }

  /**
   * Returns the findings of the later version that the earlier one does not have (row 13a). A finding is old if the same
   * rule failed at the aligned element, for a rule about a value with the same value. One old finding excuses one new
   * finding.
   */
  addedFindings<T extends ComparableFinding>(
    laterFindings: readonly T[],
    earlierFindings: readonly ComparableFinding[],
  ): T[] {
    return unmatched(
      { findings: laterFindings, root: this.after, align: (tokens) => this.alignment.toBefore(tokens) },
      { findings: earlierFindings, root: this.before },
    );
  }

  /** Returns the findings of the earlier version that the later one no longer has. */
  endedFindings<T extends ComparableFinding>(
    earlierFindings: readonly T[],
    laterFindings: readonly ComparableFinding[],
  ): T[] {
    return unmatched(
      { findings: earlierFindings, root: this.before, align: (tokens) => this.alignment.toAfter(tokens) },
      { findings: laterFindings, root: this.after },
    );
  }

  /** Returns the moves of issues of the earlier version. Omits issues whose pointer stays the same. */
  movedIssues(issues: readonly Pick<IssueRow, 'rule' | 'pointer'>[]): FindingMove[] {
    const distinct = new Map(issues.map((issue) => [`${issue.rule} ${issue.pointer}`, issue]));
    return [...distinct.values()].flatMap(({ rule, pointer: from }): FindingMove[] => {
      const tokens = parsePointer(from);
      const aligned = tokens && alignedTokens(tokens, this.before, this.alignment.toAfter);
      const values = tokens && aligned && [locate(this.before, tokens), locate(this.after, aligned)];
      if (!values || isOtherValue(rule, values)) return [{ rule, previousPointer: from }];
      const to = formatPointer(aligned);
      return to === from ? [] : [{ rule, previousPointer: from, nextPointer: to }];
    });
  }

  private get alignment(): ElementAlignment {
    return (this.aligned ??= alignElements(this.before, this.after));
  }
}

interface VersionFindings<T> {
  readonly root: JsonObject;
  readonly findings: readonly T[];
}

interface AlignedFindings<T> extends VersionFindings<T> {
  /** Returns the path of the same element in the other version. */
  readonly align: (tokens: readonly string[]) => string[] | undefined;
}

/** Returns the findings of one version that the other version does not have. */
function unmatched<T extends ComparableFinding>(
  { findings, root, align }: AlignedFindings<T>,
  otherVersion: VersionFindings<ComparableFinding>,
): T[] {
  // Most versions are clean or follow a clean version. Skips the alignment for them.
  if (findings.length === 0 || otherVersion.findings.length === 0) return [...findings];
  const partners = new Map<string, number>();
  for (const finding of otherVersion.findings) {
    const key = keyOf(finding, otherVersion.root, (tokens) => tokens);
    if (key !== undefined) partners.set(key, (partners.get(key) ?? 0) + 1);
  }
  const toOther = (tokens: Tokens) => alignedTokens(tokens, root, align);
  return findings.filter((finding) => {
    const key = keyOf(finding, root, toOther) ?? '';
    const unusedPartners = partners.get(key) ?? 0;
    if (unusedPartners > 0) partners.set(key, unusedPartners - 1);
    return unusedPartners === 0;
  });
}

/** Returns the identity of a finding; undefined if the other version lacks its element. */
function keyOf(
  { rule, tokens, diagnostics }: ComparableFinding,
  root: JsonNode,
  align: (tokens: Tokens) => Tokens | undefined,
): string | undefined {
  const subject = subjectOf(rule);
  const kind = kindOfFinding(rule, diagnostics);
  const value = subject === 'value' || subject === 'repetition' ? textOf(locate(root, tokens)) : '';
  if (subject === 'repetition') return JSON.stringify([kind, value]);
  const aligned = align(subject === 'parent' ? tokens.slice(0, -1) : tokens);
  return aligned && JSON.stringify([kind, value, ...aligned]);
}

/** Returns the tokens of an element in the other version. */
function alignedTokens(
  tokens: Tokens,
  root: JsonNode,
  align: ElementAlignment['toAfter'],
): readonly string[] | undefined {
  // A rule may report a member that the version lacks. The nearest existing element decides.
  let depth = tokens.length;
  while (depth > 0 && locate(root, tokens.slice(0, depth)) === undefined) depth -= 1;
  const aligned = align(tokens.slice(0, depth));
  return aligned && [...aligned, ...tokens.slice(depth)];
}

/** Returns the value of a node as text. Escapes are not part of it. */
function textOf(node: JsonNode | undefined): string {
  if (node === undefined) return '';
  return node.kind === 'string' ? JSON.stringify(node.value) : serializeNode(node);
}

function isOtherValue(rule: string, [before, after]: readonly (JsonNode | undefined)[]): boolean {
  if (subjectOf(rule) !== 'value' || (before === undefined && after === undefined)) return false;
  return before === undefined || after === undefined || !equal(before, after);
}
