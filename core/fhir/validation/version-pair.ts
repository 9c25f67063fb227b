/**
 * Decides which findings of two versions of a record are the same finding. Called by the save gate of the
 * server and of the page, by bulk edits, and for the states of findings. Invariant: only core/json/align.ts
 * pairs elements.
 */
import { alignElements, type ElementAlignment } from '../../json/align.ts';
import { equal } from '../../json/equal.ts';
import type { JsonNode, JsonObject } from '../../json/node.ts';
import { formatPointer, locate, parsePointer } from '../../json/pointer.ts';
import { serializeNode } from '../../json/print.ts';
import type { FindingMove, IssueRow } from '../issue-row.ts';
import { kindOfFinding, type Finding, type Tokens } from './finding.ts';
import { subjectOf } from './rules.ts';

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
