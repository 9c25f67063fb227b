import { alignElements } from '../json/align.ts';
import type { JsonNode } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';

/** Returns the findings of one version with their pointers in another version, without those of removed elements. */
export function followFindings<Finding extends { readonly pointer: string }>(
  findings: readonly Finding[],
  before: JsonNode,
  after: JsonNode,
): Finding[] {
  const { toAfter } = alignElements(before, after);
  return findings.flatMap((finding) => {
    const tokens = toAfter(parsePointer(finding.pointer) ?? []);
    return tokens ? [{ ...finding, pointer: formatPointer(tokens) }] : [];
  });
}
