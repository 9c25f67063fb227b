import { JsonSyntaxError } from '../../json/fault.ts';
import type { JsonObject } from '../../json/node.ts';
import { format } from '../../json/print.ts';
import { scan } from '../../json/scan.ts';
import type { ResourceType } from '../resource.ts';
import { validate } from '../validation/validate.ts';
import { fixesAt, fixOf, mendAll, type FixSettings } from './fixes.ts';

/** Where a finding is, as the issues of a text name it. */
export interface Found {
  readonly rule: string;
  readonly pointer: string;
}

/** A change that can be chosen, and the whole text that it makes. */
export interface TextFix extends Found {
  readonly id: string;
  readonly words: string;
  /** Laid out as the editor lays texts out. */
  readonly text: string;
  /** How many findings of the rule are in the record: the same can be done to all of them. */
  readonly count: number;
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
  const findings = validate(root, type, settings);
  return found.flatMap(({ rule, pointer }) => {
    const count = findings.filter((one) => one.rule === rule).length;
    return fixesAt(root, type, { rule, pointer }, settings).map(({ id, words, root: after }) => {
      return { rule, pointer, id, words, text: format(after), count };
    });
  });
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

/** Whether findings of a rule can be mended; a sentence where none can be without knowing more than the record says. */
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
