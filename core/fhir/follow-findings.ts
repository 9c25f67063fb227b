import { alignElements } from '../json/align.ts';
import type { JsonNode } from '../json/node.ts';
import { formatPointer, parsePointer } from '../json/pointer.ts';

/** Returns what was found in one version at the same elements of another; what was found at elements that are gone is left out. */
export function followFindings<Found extends { readonly pointer: string }>(
  findings: readonly Found[],
  before: JsonNode,
  after: JsonNode,
): Found[] {
  const { toAfter } = alignElements(before, after);
  return findings.flatMap((one) => {
    const tokens = toAfter(parsePointer(one.pointer) ?? []);
    return tokens ? [{ ...one, pointer: formatPointer(tokens) }] : [];
  });
}
