/** References in the exact text of a resource. They resolve in a Bundle (R4 bundle.html#references). */
import { items, setMember, serializeNode, stringNode, type JsonNode } from '../json/node.ts';
import { scan } from '../json/scan.ts';
import { withoutVersion } from './origin.ts';
import { parseReference } from './reference.ts';

/** Parts of a reference to a resource of an import. */
export interface LinkParts {
  readonly address: string;
  readonly id: string;
  /** Absent for a `urn:`. */
  readonly type?: string | undefined;
  /** Version and fragment. */
  readonly suffix: string;
}

/** A rewritten reference. */
export interface RewrittenLink {
  readonly from: string;
  readonly to: string;
}

/** Returns the parts of a reference; undefined if it can lead to no resource of an import. */
export function readLink(reference: string, base: string): LinkParts | undefined {
  const [, stated = '', suffix = ''] =
    /^(.*?)((?:\/_history\/[^/#]*)?(?:#.*)?)$/s.exec(reference.trim()) ?? [];
  const { type, id, base: ownBase } = parseReference(stated) ?? {};
  if (id === undefined || ownBase === '#' || (type === undefined && ownBase === undefined)) return undefined;
  const address = ownBase === undefined ? `${base}/${type}/${id}` : withoutVersion(stated);
  return { address, id, type, suffix };
}

/** Returns the literal references of a JSON text, also those in contained resources. */
export function listReferences(text: string): string[] {
  return Array.from(text.matchAll(/"reference"\s*:\s*("(?:[^"\\]|\\.)*")/g), ([, literal = '""']) =>
    parseString(literal),
  );
}

/** Replaces references. The rest of the text stays as it is but for white space. */
export function rewriteReferences(
  text: string,
  targetOf: (reference: string) => string | undefined,
): { readonly text: string; readonly links: readonly RewrittenLink[] } {
  const isRewritten = (reference: string) => {
    const target = targetOf(reference);
    return target !== undefined && target !== reference;
  };
  if (!listReferences(text).some(isRewritten)) return { text, links: [] };
  const { root, problems } = scan(text);
  if (problems.length > 0) return { text, links: [] };
  const links: RewrittenLink[] = [];
  const visit = (node: JsonNode): void => {
    if (node.kind === 'array') items(node).forEach(visit);
    if (node.kind !== 'object') return;
    for (const { key, value } of node.members) {
      if (key === 'reference' && value.kind === 'string' && isRewritten(value.value)) {
        const link = { from: value.value, to: targetOf(value.value) ?? value.value };
        setMember(node, key, stringNode(link.to));
        links.push(link);
      } else visit(value);
    }
  };
  visit(root);
  return { text: serializeNode(root), links };
}

function parseString(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return '';
  }
}
