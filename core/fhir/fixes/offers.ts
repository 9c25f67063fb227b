import type { JsonNode, JsonObject } from '../../json/node.ts';
import { formatPointer } from '../../json/pointer.ts';
import { format } from '../../json/print.ts';
import { tryScan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { validate } from '../validation/validate.ts';
import { labelOfMany } from './loss.ts';
import { fixesAt, fixOf, isOneWay, mendAll, type FixSettings, type OfferedFix } from './fixes.ts';

/** Where a finding is, as the issues of a text name it. */
export interface Found {
  readonly rule: string;
  readonly pointer: string;
}

/** A change that can be chosen, and the whole text that it makes. */
export interface TextFix extends Found, Omit<OfferedFix, 'root'> {
  /** Laid out as the editor lays texts out. */
  readonly text: string;
}

/** What can be done in a text at some of its findings; nothing where it is no JSON object. */
export function offersIn(
  text: string,
  type: ResourceType,
  found: readonly Found[],
  settings: FixSettings,
): readonly TextFix[] {
  const root = objectOf(text);
  if (!root) return [];
  return found.flatMap(({ rule, pointer }) =>
    fixesAt(root, type, { rule, pointer }, settings).map(({ root: after, ...offer }) => {
      return { rule, pointer, ...offer, text: format(after) };
    }),
  );
}

/** The text with a fix at every finding of its rule, and how many were mended; undefined where none was. */
export function allMended(
  text: string,
  type: ResourceType,
  id: string,
  settings: FixSettings,
): { readonly text: string; readonly mended: number } | undefined {
  const root = objectOf(text);
  const all = root && mendAll(root, type, id, settings);
  return all && { text: format(all.root), mended: all.mended };
}

/** A way that mends findings of a rule in some records, and how many. */
export interface CountedWay {
  readonly id: string;
  readonly words: string;
  readonly findings: number;
}

/** The ways that are offered at the findings of a rule in some records, those first that mend most. */
export function waysIn(
  records: readonly { readonly root: JsonNode; readonly type: ResourceType }[],
  rule: string,
  settings: FixSettings,
): readonly CountedWay[] {
  const ways = new Map<string, CountedWay>();
  for (const { root, type } of records) {
    if (root.kind !== 'object') continue;
    const found = validate(root, type, settings).filter((one) => one.rule === rule);
    const places = new Set(found.map(({ tokens }) => formatPointer(tokens)));
    for (const pointer of places) {
      for (const offer of fixesAt(root, type, { rule, pointer }, settings)) {
        // What is said of one place alone is not said of all.
        if (isOneWay(offer.id)) ways.set(offer.id, counted(offer, ways.get(offer.id)));
      }
    }
  }
  return [...ways.values()].toSorted((one, other) => other.findings - one.findings);
}

function counted(offer: OfferedFix, before: CountedWay | undefined): CountedWay {
  return { id: offer.id, words: labelOfMany(offer), findings: (before?.findings ?? 0) + 1 };
}

/** Whether there are ways to mend findings of a rule. */
export function isMendable(rule: string): boolean {
  return fixOf(rule)?.words !== undefined;
}

function objectOf(text: string): JsonObject | undefined {
  const { root } = tryScan(text);
  return root?.kind === 'object' ? root : undefined;
}
