import { alignElements } from '../json/align.ts';
import type { JsonNode } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';

/** Moves the findings of `before` to the same elements of `after`. Omits findings of removed elements. */
export function relocateFindings<Finding extends { readonly pointer: string }>(
  findings: readonly Finding[],
  before: JsonNode,
  after: JsonNode,
): Finding[] {
  const alignment = alignElements(before, after);
  return findings.flatMap((finding) => {
    const tokens = alignment.toAfter(parsePointer(finding.pointer) ?? []);
    return tokens ? [{ ...finding, pointer: formatPointer(tokens) }] : [];
  });
}
