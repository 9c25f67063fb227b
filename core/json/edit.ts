import { member, setMember, type JsonMember, type JsonNode, type JsonObject } from './node.ts';
import { locate } from './pointer.ts';

/** Returns a tree with a new value at an existing position. All other nodes are shared with the original. */
export function replaceNode(
  root: JsonNode,
  [token, ...remainingTokens]: readonly string[],
  value: JsonNode,
): JsonNode {
  if (token === undefined) return value;
  const replaceBelow = (node: JsonNode) => replaceNode(node, remainingTokens, value);
  if (root.kind === 'object' && member(root, token)) {
    return {
      ...root,
      members: root.members.map((entry) =>
        entry.key === token ? { ...entry, value: replaceBelow(entry.value) } : entry,
      ),
    };
  }
  if (root.kind === 'array' && root.items[Number(token)]) {
    return {
      ...root,
      items: root.items.map((item, index) => (String(index) === token ? replaceBelow(item) : item)),
    };
  }
  return root;
}

/** Returns a tree with a member set in the object at a position: in its place, or at the end. */
export function setMemberAt(
  root: JsonNode,
  tokens: readonly string[],
  key: string,
  value: JsonNode,
): JsonNode {
  return withChangedNode(root, tokens, (node) => {
    if (node.kind !== 'object') return node;
    const object: JsonObject = { ...node, members: node.members.map((entry) => ({ ...entry })) };
    setMember(object, key, value);
    return object;
  });
}

/** Returns a tree with a renamed member. */
export function renameMember(root: JsonNode, tokens: readonly string[], name: string): JsonNode {
  const key = tokens.at(-1);
  return withChangedNode(root, tokens.slice(0, -1), (node) => {
    if (node.kind !== 'object') return node;
    const rename = (entry: JsonMember) =>
      entry.key === key ? { ...entry, key: name, keySource: JSON.stringify(name) } : entry;
    return { ...node, members: node.members.map(rename) };
  });
}

/** Returns a tree without the element at a position, and without its parents that become empty. */
export function removeElement(root: JsonNode, tokens: readonly string[]): JsonNode {
  const parent = tokens.slice(0, -1);
  const token = tokens.at(-1);
  if (token === undefined) return root;
  const remainingRoot = withChangedNode(root, parent, (node) => {
    if (node.kind === 'object') return { ...node, members: node.members.filter(({ key }) => key !== token) };
    if (node.kind === 'array')
      return { ...node, items: node.items.filter((_, index) => String(index) !== token) };
    return node;
  });
  const remainingParent = locate(remainingRoot, parent);
  const empty =
    (remainingParent?.kind === 'object' && remainingParent.members.length === 0) ||
    (remainingParent?.kind === 'array' && remainingParent.items.length === 0);
  return empty && parent.length > 0 ? removeElement(remainingRoot, parent) : remainingRoot;
}

function withChangedNode(
  root: JsonNode,
  tokens: readonly string[],
  change: (node: JsonNode) => JsonNode,
): JsonNode {
  const node = locate(root, tokens);
  return node ? replaceNode(root, tokens, change(node)) : root;
}
