/**
 * core/fhir/fixes mends findings: one table from rules to changes of the exact tree. Called by the page and by bulk
 * changes. Invariant: pure; what a fix does not touch keeps its very characters, and no fix brings a new error.
 */
import type { JsonObject } from '../../json/node.ts';
import { formatPointer, locate, parsePointer } from '../../json/pointer.ts';
import type { ResourceType } from '../resource.ts';
import { identity, type Finding } from '../validation/finding.ts';
import { validate } from '../validation/validate.ts';
import { datatypeFixes } from './datatype-fixes.ts';
import { elementFixes } from './element-fixes.ts';
import type { Fix, FixSettings } from './fix.ts';
import { narrativeFixes } from './narrative-fixes.ts';
import { resourceFixes } from './resource-fixes.ts';
import { schemaFixes } from './schema-fixes.ts';
import { timingFixes } from './timing-fixes.ts';

export type { Fix, FixSettings } from './fix.ts';

/** The table: a rule is in it once. */
export const fixes: readonly Fix[] = [
  ...schemaFixes,
  ...elementFixes,
  ...datatypeFixes,
  ...timingFixes,
  ...resourceFixes,
  ...narrativeFixes,
];

const byRule = new Map(fixes.map((fix) => [fix.rule, fix]));

/** The row of a rule; undefined where the rule is none of FHIR's or of the program's. */
export function fixOf(rule: string): Fix | undefined {
  return byRule.get(rule);
}

/** A change that mends a finding. */
export interface OfferedFix {
  /** The same wherever the same is done. */
  readonly id: string;
  /** What is done, as a button says it. */
  readonly words: string;
  readonly root: JsonObject;
  /** How many findings of the rule are in the record: the same can be done to all of them. */
  readonly count: number;
}

/** A record as it is judged before something is mended. */
interface Standing {
  readonly root: JsonObject;
  readonly type: ResourceType;
  readonly settings: FixSettings;
  readonly were: readonly Finding[];
}

function standingOf(root: JsonObject, type: ResourceType, settings: FixSettings): Standing {
  return { root, type, settings, were: validate(root, type, settings) };
}

/** What can be done at a finding, the safest first; what would bring a new error is not offered. */
export function fixesAt(
  root: JsonObject,
  type: ResourceType,
  { rule, pointer }: { readonly rule: string; readonly pointer: string },
  settings: FixSettings,
): readonly OfferedFix[] {
  const fix = byRule.get(rule);
  const tokens = parsePointer(pointer);
  if (!fix || !tokens) return [];
  const standing = standingOf(root, type, settings);
  const found = standing.were.find((one) => one.rule === rule && formatPointer(one.tokens) === pointer);
  // What lies between two versions is told by no judgement of one.
  return offersAt(standing, fix, found ?? { rule, tokens, diagnostics: rule });
}

/** The ways of a fix at a finding, or the one that is wanted. */
function offersAt(
  { root, type, settings, were }: Standing,
  fix: Fix,
  finding: Pick<Finding, 'rule' | 'tokens' | 'diagnostics'> | Finding,
  wanted?: string,
): readonly OfferedFix[] {
  const { rule, tokens, diagnostics } = finding;
  const detail = diagnostics.slice(rule.length + 2);
  const ways = fix
    .ways({ ...settings, type, root, tokens, detail, node: locate(root, tokens) })
    .filter((way) => wanted === undefined || way?.id === wanted);
  const known = new Set(were.map(identity));
  const own = 'severity' in finding ? identity(finding) : undefined;
  const count = were.filter((one) => one.rule === rule).length;
  const offers = ways.flatMap((way) => {
    if (way?.root.kind !== 'object' || way.root === root) return [];
    const are = validate(way.root, type, settings);
    const isNew = (one: Finding) => !known.has(identity(one)) && !isMoved(one, were);
    if (are.some((one) => one.severity === 'error' && isNew(one))) return [];
    const stays = are.length >= were.length && are.some((one) => identity(one) === own);
    if (stays) return [];
    return [{ offer: { id: way.id, words: way.words, root: way.root, count }, warns: are.some(isNew) }];
  });
  return offers.toSorted((one, other) => Number(one.warns) - Number(other.warns)).map(({ offer }) => offer);
}

/** Whether a finding stood elsewhere before: what is removed from a list moves what follows it. */
function isMoved(finding: Finding, were: readonly Finding[]): boolean {
  const shape = ({ rule, expression }: Finding) => `${rule} ${expression.replace(/\[\d+\]/g, '[]')}`;
  return were.some((one) => shape(one) === shape(finding) && one.tokens.join() !== finding.tokens.join());
}

/** Most findings that are mended in one record: far above what one has. */
const mostMended = 1000;

/**
 * A record with a fix applied at every finding of its rule; `mended` is at how many. Undefined where it mends nothing.
 * `id` is that of an {@link OfferedFix}, or a rule's, which takes the first that is offered at each place.
 */
export function mendAll(
  root: JsonObject,
  type: ResourceType,
  id: string,
  settings: FixSettings,
): { readonly root: JsonObject; readonly mended: number } | undefined {
  // An id begins with its rule: `schema-code` of `schema-code=active`.
  const [rule = ''] = id.split('=', 1);
  const fix = byRule.get(rule);
  if (!fix) return undefined;
  const wanted = id === rule ? undefined : id;
  const tried = new Set<string>();
  /** The record with the first of the findings mended that can be. */
  const mendOne = (now: JsonObject): JsonObject | undefined => {
    const standing = standingOf(now, type, settings);
    for (const finding of standing.were) {
      if (finding.rule !== rule || tried.has(identity(finding))) continue;
      const [offer] = offersAt(standing, fix, finding, wanted);
      if (offer) return offer.root;
      tried.add(identity(finding));
    }
    return undefined;
  };
  let [now, mended] = [root, 0];
  for (let next = mendOne(now); next && mended < mostMended; next = mendOne(now)) {
    now = next;
    mended += 1;
  }
  return mended > 0 ? { root: now, mended } : undefined;
}
