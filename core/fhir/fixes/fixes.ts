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
import type { Fix, FixPlace, FixSettings } from './fix.ts';
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
}

/** What can be done at a finding, the safest first; what would bring a new error is not offered. */
export function fixesAt(
  root: JsonObject,
  type: ResourceType,
  {
    rule,
    pointer,
    diagnostics,
  }: { readonly rule: string; readonly pointer: string; readonly diagnostics?: string },
  settings: FixSettings,
): readonly OfferedFix[] {
  const fix = byRule.get(rule);
  const tokens = parsePointer(pointer);
  if (!fix || !tokens) return [];
  const were = validate(root, type, settings);
  const finding = were.find(
    (one) =>
      one.rule === rule &&
      formatPointer(one.tokens) === pointer &&
      (diagnostics === undefined || one.diagnostics === diagnostics),
  );
  const detail = (finding?.diagnostics ?? rule).slice(rule.length + 2);
  return offersOf(
    fix,
    { ...settings, type, root, tokens, detail, node: locate(root, tokens) },
    were,
    finding,
  );
}

function offersOf(
  fix: Fix,
  place: FixPlace,
  were: readonly Finding[],
  finding: Finding | undefined,
  wanted?: string,
): readonly OfferedFix[] {
  const known = new Set(were.map(identity));
  const { type, today } = place;
  const ways = fix.ways(place).filter((way) => wanted === undefined || way?.id === wanted);
  const offers = ways.flatMap((way) => {
    if (way?.root.kind !== 'object' || way.root === place.root) return [];
    const { id, words, root } = way;
    const are = validate(root, type, { today });
    const isNew = (one: Finding) => !known.has(identity(one)) && !isMoved(one, were);
    if (are.some((one) => one.severity === 'error' && isNew(one))) return [];
    if (finding && are.length >= were.length && are.some((one) => identity(one) === identity(finding)))
      return [];
    return [{ id, words, root, warns: are.some(isNew) }];
  });
  return offers
    .toSorted((one, other) => Number(one.warns) - Number(other.warns))
    .map(({ id, words, root }) => ({ id, words, root }));
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
  const rule = ruleOfFix(id);
  const fix = byRule.get(rule);
  if (!fix) return undefined;
  let now = root;
  let mended = 0;
  const tried = new Set<string>();
  for (let turn = 0; turn < mostMended; turn += 1) {
    const were = validate(now, type, settings);
    const next = were
      .filter((one) => one.rule === rule && !tried.has(identity(one)))
      .map((finding) => ({ finding, offer: chosen(fix, now, type, finding, were, id, settings) }))
      .find(({ finding, offer }) => {
        if (!offer) tried.add(identity(finding));
        return offer;
      });
    if (!next?.offer) break;
    now = next.offer.root;
    mended += 1;
  }
  return mended > 0 ? { root: now, mended } : undefined;
}

/** The rule that a fix's id begins with: `schema-code` of `schema-code=active`. */
export function ruleOfFix(id: string): string {
  return id.split('=', 1)[0] ?? '';
}

function chosen(
  fix: Fix,
  root: JsonObject,
  type: ResourceType,
  finding: Finding,
  were: readonly Finding[],
  id: string,
  settings: FixSettings,
): OfferedFix | undefined {
  const { tokens, rule, diagnostics } = finding;
  const place = {
    ...settings,
    type,
    root,
    tokens,
    node: locate(root, tokens),
    detail: diagnostics.slice(rule.length + 2),
  };
  const [offer] = offersOf(fix, place, were, finding, id === rule ? undefined : id);
  return offer;
}
