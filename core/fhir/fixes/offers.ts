import { formatNode, type JsonNode, type JsonObject } from '../../json/node.ts';
import { formatPointer } from '../../json/pointer.ts';
import { tryScan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { validate } from '../validation/validate.ts';
import { labelOfMany } from './loss.ts';
import {
  suggestionsAt,
  fixOf,
  isSingleOption,
  applyFixes,
  type FixSettings,
  type FixSuggestion,
} from './fixes.ts';

export interface FindingLocation {
  readonly rule: string;
  readonly pointer: string;
}

/** A fix suggestion and the whole text after it. */
export interface TextFix extends FindingLocation, Omit<FixSuggestion, 'fixedRoot'> {
  /** Formatted like the editor's text. */
  readonly fixedText: string;
}

/** Returns the suggestions for findings of a text; none if it is not a JSON object. */
export function suggestFixes(
  text: string,
  type: ResourceType,
  findings: readonly FindingLocation[],
  settings: FixSettings,
): readonly TextFix[] {
  const root = objectOf(text);
  if (!root) return [];
  return findings.flatMap(({ rule, pointer }) =>
    suggestionsAt(root, type, { rule, pointer }, settings).map(({ fixedRoot, ...suggestion }) => {
      return { rule, pointer, ...suggestion, fixedText: formatNode(fixedRoot) };
    }),
  );
}

/**
 * Applies a fix at every finding of its rule. Returns the text and the number of resolved findings; undefined
 * if there are none.
 */
export function applyAllFixes(
  text: string,
  type: ResourceType,
  id: string,
  settings: FixSettings,
): { readonly text: string; readonly fixedCount: number } | undefined {
  const root = objectOf(text);
  const result = root && applyFixes(root, type, id, settings);
  return result && { text: formatNode(result.root), fixedCount: result.fixedCount };
}

/** A fix option and the number of findings in some records that have it. */
export interface CountedFixOption {
  readonly id: string;
  readonly words: string;
  readonly findings: number;
}

/** Returns the options at the findings of a rule in some records, the most frequent first. */
export function listFixOptions(
  records: readonly { readonly root: JsonNode; readonly type: ResourceType }[],
  rule: string,
  settings: FixSettings,
): readonly CountedFixOption[] {
  const options = new Map<string, CountedFixOption>();
  for (const { root, type } of records) {
    if (root.kind !== 'object') continue;
    const findings = validate(root, type, settings).filter((finding) => finding.rule === rule);
    const pointers = new Set(findings.map(({ tokens }) => formatPointer(tokens)));
    for (const pointer of pointers) {
      for (const suggestion of suggestionsAt(root, type, { rule, pointer }, settings)) {
        // Skips suggestions without an option id. They differ at each finding.
        if (isSingleOption(suggestion.id))
          options.set(suggestion.id, countOption(suggestion, options.get(suggestion.id)));
      }
    }
  }
  return [...options.values()].toSorted(
    (leftOption, rightOption) => rightOption.findings - leftOption.findings,
  );
}

function countOption(suggestion: FixSuggestion, previous: CountedFixOption | undefined): CountedFixOption {
  return { id: suggestion.id, words: labelOfMany(suggestion), findings: (previous?.findings ?? 0) + 1 };
}

/** Returns true if findings of a rule have fixes. */
export function isFixable(rule: string): boolean {
  return fixOf(rule)?.label !== undefined;
}

function objectOf(text: string): JsonObject | undefined {
  const { root } = tryScan(text);
  return root?.kind === 'object' ? root : undefined;
}
