import { expressionAt } from '../fhir/expression.ts';
import type { Issue } from '../fhir/judgement.ts';
import { alignElements } from '../json/align.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { headOf, reach } from '../json/reach.ts';
import { tryScan } from '../json/scan.ts';
import type { OtherRecords, StoreFindings } from './quality.ts';

/** An issue that the store finds at a record: it needs other records, or the versions before. */
export interface StoreIssue extends Issue, OtherRecords {
  /** The stored version that it was found at, where the text is another one. */
  readonly storedVersion?: number;
}

/** The text of an editor, and the stored version that it was made on. */
export interface TextOfVersion {
  readonly type: string;
  readonly text: string;
  readonly base: string;
  readonly version: number | undefined;
}

/**
 * Returns what the store finds at a record, each at its element in the text, wherever that was moved to; at the record where
 * the element is gone. Nothing where the text is no JSON.
 */
export function storeIssuesOf(
  { type, text, base, version }: TextOfVersion,
  { version: foundAt, findings }: StoreFindings,
): StoreIssue[] {
  const { root } = findings.length === 0 ? {} : tryScan(text);
  if (root?.kind !== 'object') return [];
  const isStored = text === base && version === foundAt;
  const toText = text === base ? (tokens: string[]) => tokens : pathsFrom(base, root);
  return findings.map((finding) => {
    const tokens = toText(parsePointer(finding.pointer) ?? []) ?? [];
    const { start, end } = headOf(reach(root, tokens));
    return {
      ...finding,
      ...{ pointer: formatPointer(tokens), expression: expressionAt(type, tokens), start, end },
      ...(!isStored && { storedVersion: foundAt }),
    };
  });
}

/** Follows elements of the stored text into another one. */
function pathsFrom(base: string, root: JsonObject): (tokens: string[]) => string[] | undefined {
  const before = tryScan(base).root;
  return before ? alignElements(before, root).toAfter : () => undefined;
}
