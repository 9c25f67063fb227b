import { expressionAt } from '../fhir/expression.ts';
import type { Issue } from '../fhir/judgement.ts';
import { parsePointer } from '../json/pointer.ts';
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

/** Returns what the store finds at a record, each at its element in the text; nothing where that is no JSON. */
export function storeIssuesOf(
  { type, text, base, version }: TextOfVersion,
  { version: foundAt, findings }: StoreFindings,
): StoreIssue[] {
  const { root } = findings.length === 0 ? {} : tryScan(text);
  if (root?.kind !== 'object') return [];
  const isStored = text === base && version === foundAt;
  return findings.map((finding) => {
    const tokens = parsePointer(finding.pointer) ?? [];
    const { start, end } = headOf(reach(root, tokens));
    return {
      ...finding,
      ...{ expression: expressionAt(type, tokens), start, end },
      ...(!isStored && { storedVersion: foundAt }),
    };
  });
}
