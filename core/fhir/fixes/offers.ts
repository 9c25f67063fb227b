import { JsonSyntaxError } from '../../json/fault.ts';
import type { JsonObject } from '../../json/node.ts';
import { format } from '../../json/print.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { fixesAt, fixOf, mendAll, type FixSettings, type OfferedFix } from './fixes.ts';

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

/** Whether there are ways to mend findings of a rule. */
export function isMendable(rule: string): boolean {
  return fixOf(rule)?.words !== undefined;
}

function objectOf(text: string): JsonObject | undefined {
  try {
    const { root } = scan(text);
    return root.kind === 'object' ? root : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
