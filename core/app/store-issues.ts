import { expressionAt } from '../fhir/validation/finding.ts';
import type { Issue } from '../fhir/text-validation.ts';
import { alignElements } from '../json/align.ts';
import type { JsonObject } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';
import { headOf, resolveNearest } from '../json/nearest-element.ts';
import { tryScan } from '../json/scan.ts';
import type { OtherRecords, StoreFindings } from './quality.ts';

/** Issue that needs other records or previous versions. Only the store can compute it. */
export interface StoreIssue extends Issue, OtherRecords {
  /** Stored version of the issue, if the text differs from it. */
  readonly storedVersion?: number;
}

/** Text of an editor, and the stored version that it is based on. */
export interface TextOfVersion {
  readonly type: string;
  readonly text: string;
  readonly base: string;
  readonly version: number | undefined;
}

/**
 * Returns the issues of the store at their elements in the text, even if those were moved. Removed elements
 * are reported at the record. Empty if the text is not JSON.
 */
export function storeIssuesOf(
  { type, text, base, version }: TextOfVersion,
  { version: storedVersion, findings }: StoreFindings,
): StoreIssue[] {
  const { root } = findings.length === 0 ? {} : tryScan(text);
  if (root?.kind !== 'object') return [];
  const isStored = text === base && version === storedVersion;
  const toText = text === base ? (tokens: string[]) => tokens : pathsFrom(base, root);
  return findings.map((finding) => {
    const tokens = toText(parsePointer(finding.pointer) ?? []) ?? [];
    const { start, end } = headOf(resolveNearest(root, tokens));
    return {
      ...finding,
      pointer: formatPointer(tokens),
      expression: expressionAt(type, tokens),
      start,
      end,
      ...(!isStored && { storedVersion: storedVersion }),
    };
  });
}

/** Returns a function that follows elements of the stored text into another text. */
function pathsFrom(base: string, root: JsonObject): (tokens: string[]) => string[] | undefined {
  const before = tryScan(base).root;
  return before ? alignElements(before, root).toAfter : () => undefined;
}
