/**
 * core/fhir/fixes resolves findings: one table from rules to changes of the exact tree. Called by the page
 * and by bulk edits. Invariant: pure; a fix keeps the exact characters of other elements and adds no error.
 */
import { equal, type JsonNode, type JsonObject } from '../../json/node.ts';
import { removeElement } from '../../json/edit.ts';
import { formatPointer, locate, parsePointer } from '../../json/pointer.ts';
import { enclosing } from '../enclosing.ts';
import type { ResourceType } from '../resource.ts';
import { identity, type Finding } from '../validation/finding.ts';
import { validate, VersionPair } from '../validation/validate.ts';
import { datatypeFixes } from './datatype-fixes.ts';
import { elementFixes } from './element-fixes.ts';
import type { Fix, FixSettings } from './fix.ts';
import { labelOf, lossOf, type Loss } from './loss.ts';
import { referenceFixes } from './reference-fixes.ts';
import { releaseFixes } from './release-fixes.ts';
import { resourceFixes } from './resource-fixes.ts';
import { schemaFixes } from './schema-fixes.ts';
import { sectionFixes } from './section-fixes.ts';
import { timingFixes } from './timing-fixes.ts';

export type { Fix, FixSettings } from './fix.ts';

export const fixes: readonly Fix[] = [
  ...releaseFixes,
  ...schemaFixes,
  ...elementFixes,
  ...datatypeFixes,
  ...referenceFixes,
  ...timingFixes,
  ...resourceFixes,
  ...sectionFixes,
];

const byRule = new Map(fixes.map((fix) => [fix.rule, fix]));

/** Returns the entry of a rule; undefined for custom and profile rules. */
export function fixOf(rule: string): Fix | undefined {
  return byRule.get(rule);
}

/** A change that resolves a finding. */
export interface FixSuggestion extends Loss {
  /** Equal for equal changes. */
  readonly id: string;
  /** Label for the fixes of many findings. */
  readonly ruleLabel: string;
  /** Label of the button at this finding. Names removed elements. */
  readonly label: string;
  readonly fixedRoot: JsonObject;
  /** Number of findings of the rule in the record. The fix can be applied to all of them. */
  readonly count: number;
}

/** A record and its findings before a fix. */
interface RecordState {
  readonly root: JsonObject;
  readonly type: ResourceType;
  readonly settings: FixSettings;
  readonly findings: readonly Finding[];
}

function validateState(root: JsonObject, type: ResourceType, settings: FixSettings): RecordState {
  return { root, type, settings, findings: validate(root, type, settings) };
}

/** Returns the suggestions for a finding. Removals come last, and changes that add an error are left out. */
export function suggestionsAt(
  root: JsonObject,
  type: ResourceType,
  { rule, pointer }: { readonly rule: string; readonly pointer: string },
  settings: FixSettings,
): readonly FixSuggestion[] {
  const fix = byRule.get(rule);
  const tokens = parsePointer(pointer);
  if (!fix || !tokens) return [];
  const state = validateState(root, type, settings);
  const match = state.findings.find(
    (finding) => finding.rule === rule && formatPointer(finding.tokens) === pointer,
  );
  // A finding between two versions, such as a stale narrative, is not in `findings`.
  return listSuggestions(state, fix, match ?? { rule, tokens, diagnostics: rule });
}

/** Returns true if an option is allowed, by its id and its loss. */
type IsAllowed = (id: string, loss: Loss) => boolean;

/** Returns the allowed options of a fix. Each needs a validation, so others are excluded before. */
function listSuggestions(
  state: RecordState,
  fix: Fix,
  finding: Pick<Finding, 'rule' | 'tokens' | 'diagnostics'> | Finding,
  isAllowed: IsAllowed = () => true,
): readonly FixSuggestion[] {
  const { root, type, settings, findings } = state;
  const { rule, tokens, diagnostics } = finding;
  const detail = diagnostics.slice(rule.length + 2);
  const options = fix
    .listOptions({
      ...settings,
      root,
      tokens,
      detail,
      node: locate(root, tokens),
      enclosed: enclosing(root, type, tokens),
    })
    .flatMap((option) => {
      if (option?.fixedRoot.kind !== 'object') return [];
      const loss = lossOf(root, option.fixedRoot, tokens);
      return isAllowed(option.id, loss) ? [{ ...option, fixedRoot: option.fixedRoot, loss }] : [];
    })
    // Suggests equal changes once. Each of their ids can still be applied.
    .filter(
      (option, index, candidates) => candidates.findIndex(({ label }) => label === option.label) === index,
    );
  const count = findings.filter((candidate) => candidate.rule === rule).length;
  const suggestions = options.flatMap(({ id, label, names, fixedRoot, loss }) => {
    const outcome = evaluateChange(fixedRoot, state, finding);
    if (!outcome) return [];
    const suggestion = {
      id,
      ruleLabel: label,
      fixedRoot,
      count,
      ...loss,
      label: labelOf(label, loss.removes, names),
    };
    return [{ offer: suggestion, rank: rankOf(loss), warns: outcome.warns }];
  });
  return suggestions
    .toSorted(
      (leftEntry, rightEntry) =>
        leftEntry.rank - rightEntry.rank || Number(leftEntry.warns) - Number(rightEntry.warns),
    )
    .map(({ offer }) => offer);
}

/** Returns the rank of an option in the list. Removals come last. */
function rankOf({ safe, removes }: Loss): number {
  if (safe) return 0;
  return removes.length === 0 ? 1 : 2;
}

/**
 * Returns whether a change adds warnings. Returns undefined if it changes nothing, adds an error or does not
 * resolve the finding.
 */
function evaluateChange(
  after: JsonObject,
  { root, type, settings, findings }: RecordState,
  finding: Pick<Finding, 'rule' | 'tokens' | 'diagnostics'> | Finding,
): { readonly warns: boolean } | undefined {
  if (equal(after, root)) return undefined;
  const versions = new VersionPair(root, after);
  const newFindings = validate(after, type, settings);
  const addedFindings = versions.addedFindings(newFindings, findings);
  if (addedFindings.some(({ severity }) => severity === 'error')) return undefined;
  const isUnresolved = 'severity' in finding && versions.endedFindings([finding], newFindings).length === 0;
  return isUnresolved ? undefined : { warns: addedFindings.length > 0 };
}

/** Maximum fixes in one record, far above real numbers. */
const maxRepaired = 1000;

/** Id of the safe fixes of all rules. */
export const everySafeFix = 'every';
/** Id of the removal of elements with errors of any rule. */
export const removalOfErrors = 'remove';

/** Ids and descriptions of fixes for findings of all rules. */
export const wideFixes = {
  [everySafeFix]: 'All safe fixes',
  [removalOfErrors]: 'Remove elements with errors (their content is lost)',
} as const;

/** Resolves one finding and returns the record; undefined if that is not possible. */
type ApplyFix = (state: RecordState, finding: Finding) => JsonObject | undefined;

const wideFixFunctions: Readonly<Record<keyof typeof wideFixes, ApplyFix>> = {
  [everySafeFix](state, finding) {
    const fix = byRule.get(finding.rule);
    if (fix?.label === undefined) return undefined;
    return listSuggestions(state, fix, finding, (_, { safe }) => safe)[0]?.fixedRoot;
  },
  // Removes the smallest optional part around the element.
  [removalOfErrors](state, finding) {
    if (finding.severity !== 'error') return undefined;
    for (let depth = finding.tokens.length; depth > 0; depth -= 1) {
      const after = removeElement(state.root, finding.tokens.slice(0, depth));
      if (after.kind === 'object' && evaluateChange(after, state, finding)) return after;
    }
    // Removes a contained resource with the references to it.
    const [name, index] = finding.tokens;
    if (name !== 'contained' || index === undefined) return undefined;
    const after = withoutDangling(removeElement(state.root, [name, index]), state);
    return after && evaluateChange(after, state, finding) ? after : undefined;
  },
};

/** Removes the references that a change left without a target. */
function withoutDangling(
  changedRecord: JsonNode,
  { root, type, settings, findings }: RecordState,
): JsonObject | undefined {
  let current = changedRecord;
  for (let round = 0; current.kind === 'object' && round < maxRepaired; round += 1) {
    const references = validate(current, type, settings).filter(({ rule }) => rule === 'ref-1');
    const [dangling] = new VersionPair(root, current).addedFindings(references, findings);
    if (!dangling) return current;
    current = removeElement(current, dangling.tokens);
  }
  return undefined;
}

/** Returns true for the id of one option. The id of a rule applies its first safe option at each finding. */
export function isSingleOption(id: string): boolean {
  return id.includes('=');
}

/** Returns the function for a fix id; undefined for an unknown id. */
function selectFix(id: string): ApplyFix | undefined {
  if (isWide(id)) return wideFixFunctions[id];
  // An id begins with its rule: `schema-code=active` belongs to `schema-code`.
  const [rule = ''] = id.split('=', 1);
  const fix = byRule.get(rule);
  if (!fix) return undefined;
  // Of several options only a lossless one is applied, unless the id selects one.
  const isAllowed: IsAllowed = (optionId, { safe }) => optionId === id || (safe && id === rule);
  return (state, finding) =>
    finding.rule === rule ? listSuggestions(state, fix, finding, isAllowed)[0]?.fixedRoot : undefined;
}

function isWide(id: string): id is keyof typeof wideFixes {
  return Object.hasOwn(wideFixes, id);
}

/** Returns the description of a fix for many findings; undefined if it has none. */
export function wordsOfFix(id: string): string | undefined {
  return isWide(id) ? wideFixes[id] : fixOf(id)?.label;
}

/**
 * Applies a fix at every finding that it resolves.
 *
 * @param id - Id of a {@link FixSuggestion}, of a rule (applies its first safe option), or of {@link
 * wideFixes}.
 * @returns The record and the number of resolved findings; undefined if there are none.
 */
export function applyFixes(
  root: JsonObject,
  type: ResourceType,
  id: string,
  settings: FixSettings,
): { readonly root: JsonObject; readonly fixedCount: number } | undefined {
  const applyFix = selectFix(id);
  if (!applyFix) return undefined;
  const triedFindings = new Set<string>();
  /** Returns the record after the first possible fix. */
  const applyOnce = (current: JsonObject): JsonObject | undefined => {
    const state = validateState(current, type, settings);
    for (const finding of state.findings) {
      if (triedFindings.has(identity(finding))) continue;
      const nextRecord = applyFix(state, finding);
      if (nextRecord) return nextRecord;
      triedFindings.add(identity(finding));
    }
    return undefined;
  };
  let [currentRecord, fixedCount] = [root, 0];
  for (
    let next = applyOnce(currentRecord);
    next && fixedCount < maxRepaired;
    next = applyOnce(currentRecord)
  ) {
    currentRecord = next;
    fixedCount += 1;
  }
  return fixedCount > 0 ? { root: currentRecord, fixedCount } : undefined;
}
