/**
 * core/fhir/fixes mends findings: one table from rules to changes of the exact tree. Called by the page and by bulk
 * changes. Invariant: pure; what a fix does not touch keeps its very characters, and no fix brings a new error.
 */
import { equal } from '../../json/equal.ts';
import type { JsonNode, JsonObject } from '../../json/node.ts';
import { without } from '../../json/edit.ts';
import { formatPointer, locate, parsePointer } from '../../json/pointer.ts';
import { enclosing } from '../enclosing.ts';
import type { ResourceType } from '../resource.ts';
import { identity, type Finding } from '../validation/finding.ts';
import { validate } from '../validation/validate.ts';
import { VersionPair } from '../validation/version-pair.ts';
import { datatypeFixes } from './datatype-fixes.ts';
import { elementFixes } from './element-fixes.ts';
import type { Fix, FixSettings } from './fix.ts';
import { labelOf, lossOf, type Loss } from './loss.ts';
import { referenceFixes } from './reference-fixes.ts';
import { resourceFixes } from './resource-fixes.ts';
import { schemaFixes } from './schema-fixes.ts';
import { sectionFixes } from './section-fixes.ts';
import { timingFixes } from './timing-fixes.ts';

export type { Fix, FixSettings } from './fix.ts';

/** The table: a rule is in it once. */
export const fixes: readonly Fix[] = [
  ...schemaFixes,
  ...elementFixes,
  ...datatypeFixes,
  ...referenceFixes,
  ...timingFixes,
  ...resourceFixes,
  ...sectionFixes,
];

const byRule = new Map(fixes.map((fix) => [fix.rule, fix]));

/** The row of a rule; undefined where the rule is none of FHIR's or of the program's. */
export function fixOf(rule: string): Fix | undefined {
  return byRule.get(rule);
}

/** A change that mends a finding. */
export interface OfferedFix extends Loss {
  /** The same wherever the same is done. */
  readonly id: string;
  /** What is done, wherever it is done. */
  readonly words: string;
  /** The same at this finding, as a button says it: with what it removes. */
  readonly label: string;
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

/** What can be done at a finding, what removes something last; what would bring a new error is not offered. */
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

/** True if a way may be taken, by its id and by what it loses. */
type IsWanted = (id: string, loss: Loss) => boolean;

/** The wanted ways of a fix at a finding. The record is judged anew for each, so unwanted ones are left out before. */
function offersAt(
  standing: Standing,
  fix: Fix,
  finding: Pick<Finding, 'rule' | 'tokens' | 'diagnostics'> | Finding,
  isWanted: IsWanted = () => true,
): readonly OfferedFix[] {
  const { root, type, settings, were } = standing;
  const { rule, tokens, diagnostics } = finding;
  const detail = diagnostics.slice(rule.length + 2);
  const ways = fix
    .ways({
      ...settings,
      ...{ root, tokens, detail },
      node: locate(root, tokens),
      enclosed: enclosing(root, type, tokens),
    })
    .flatMap((way) => {
      if (way?.root.kind !== 'object') return [];
      const loss = lossOf(root, way.root, tokens);
      return isWanted(way.id, loss) ? [{ ...way, root: way.root, loss }] : [];
    })
    // Two ways that come to the same are offered once; by its id each is taken.
    .filter((way, at, all) => all.findIndex(({ words }) => words === way.words) === at);
  const count = were.filter((one) => one.rule === rule).length;
  const offers = ways.flatMap(({ id, words, root: after, loss }) => {
    const left = leftBy(after, standing, finding);
    if (!left) return [];
    const offer = { id, words, root: after, count, ...loss, label: labelOf(words, loss.removes) };
    return [{ offer, rank: rankOf(loss), warns: left.warns }];
  });
  return offers
    .toSorted((one, other) => one.rank - other.rank || Number(one.warns) - Number(other.warns))
    .map(({ offer }) => offer);
}

/** The place of a way in the list: what removes something comes last. */
function rankOf({ safe, removes }: Loss): number {
  if (safe) return 0;
  return removes.length === 0 ? 1 : 2;
}

/** Whether a change brings new warnings; undefined where it is none, brings a new error, or leaves the finding as it is. */
function leftBy(
  after: JsonObject,
  { root, type, settings, were }: Standing,
  finding: Pick<Finding, 'rule' | 'tokens' | 'diagnostics'> | Finding,
): { readonly warns: boolean } | undefined {
  if (equal(after, root)) return undefined;
  const versions = new VersionPair(root, after);
  const are = validate(after, type, settings);
  const added = versions.addedFindings(are, were);
  if (added.some(({ severity }) => severity === 'error')) return undefined;
  const stays = 'severity' in finding && versions.endedFindings([finding], are).length === 0;
  return stays ? undefined : { warns: added.length > 0 };
}

/** Most findings that are mended in one record: far above what one has. */
const mostMended = 1000;

/** The ids of changes that mend findings of more than one rule; what they do, in words. */
export const wideFixes = {
  every: 'Whatever has a safe fix',
  remove: 'Remove the elements with errors; what they say is lost',
} as const;

/** The record with one finding mended; undefined where it cannot be. */
type Mend = (standing: Standing, finding: Finding) => JsonObject | undefined;

const widely: Readonly<Record<keyof typeof wideFixes, Mend>> = {
  every(standing, finding) {
    const fix = byRule.get(finding.rule);
    if (fix?.words === undefined) return undefined;
    return offersAt(standing, fix, finding, (_, { safe }) => safe)[0]?.root;
  },
  // The smallest part around the element that the record can do without.
  remove(standing, finding) {
    if (finding.severity !== 'error') return undefined;
    for (let depth = finding.tokens.length; depth > 0; depth -= 1) {
      const after = without(standing.root, finding.tokens.slice(0, depth));
      if (after.kind === 'object' && leftBy(after, standing, finding)) return after;
    }
    // A contained resource goes with what refers to it.
    const [place, number] = finding.tokens;
    if (place !== 'contained' || number === undefined) return undefined;
    const after = withoutDangling(without(standing.root, [place, number]), standing);
    return after && leftBy(after, standing, finding) ? after : undefined;
  },
};

/** A record without the references into it that lead to nothing since it was changed. */
function withoutDangling(
  changed: JsonNode,
  { root, type, settings, were }: Standing,
): JsonObject | undefined {
  let now = changed;
  for (let times = 0; now.kind === 'object' && times < mostMended; times += 1) {
    const references = validate(now, type, settings).filter(({ rule }) => rule === 'ref-1');
    const [dangling] = new VersionPair(root, now).addedFindings(references, were);
    if (!dangling) return now;
    now = without(now, dangling.tokens);
  }
  return undefined;
}

/** True if an id is that of one way to mend, and not of a rule, whose first safe way is taken at each finding. */
export function isOneWay(id: string): boolean {
  return id.includes('=');
}

/** What a fix of this id does; undefined where there is none. */
function mendBy(id: string): Mend | undefined {
  if (isWide(id)) return widely[id];
  // An id begins with its rule: `schema-code` of `schema-code=active`.
  const [rule = ''] = id.split('=', 1);
  const fix = byRule.get(rule);
  if (!fix) return undefined;
  // Of several ways none is taken that could lose something, unless it is the one that was chosen.
  const isWanted: IsWanted = (way, { safe }) => way === id || (safe && id === rule);
  return (standing, finding) =>
    finding.rule === rule ? offersAt(standing, fix, finding, isWanted)[0]?.root : undefined;
}

function isWide(id: string): id is keyof typeof wideFixes {
  return Object.hasOwn(wideFixes, id);
}

/** What a fix does where many findings are mended by it; undefined where it mends one alone, or is none. */
export function wordsOfFix(id: string): string | undefined {
  return isWide(id) ? wideFixes[id] : fixOf(id)?.words;
}

/**
 * A record with a fix applied at every finding that it mends; `mended` is at how many. Undefined where it mends nothing.
 * `id` is that of an {@link OfferedFix}, a rule's, which takes the first safe one at each place, or one of
 * {@link wideFixes}.
 */
export function mendAll(
  root: JsonObject,
  type: ResourceType,
  id: string,
  settings: FixSettings,
): { readonly root: JsonObject; readonly mended: number } | undefined {
  const mend = mendBy(id);
  if (!mend) return undefined;
  const tried = new Set<string>();
  /** The record with the first of the findings mended that can be. */
  const mendOne = (now: JsonObject): JsonObject | undefined => {
    const standing = standingOf(now, type, settings);
    for (const finding of standing.were) {
      if (tried.has(identity(finding))) continue;
      const after = mend(standing, finding);
      if (after) return after;
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
