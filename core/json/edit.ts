import { member, setMember, type JsonMember, type JsonNode, type JsonObject } from './node.ts';
import { locate } from './pointer.ts';

/** A tree with another value at a place, which has to be there; all other nodes are those of the original. */
export function replaced(root: JsonNode, [token, ...rest]: readonly string[], value: JsonNode): JsonNode {
  if (token === undefined) return value;
  const below = (node: JsonNode) => replaced(node, rest, value);
  if (root.kind === 'object' && member(root, token)) {
    return {
      ...root,
      members: root.members.map((one) => (one.key === token ? { ...one, value: below(one.value) } : one)),
    };
  }
  if (root.kind === 'array' && root.items[Number(token)]) {
    return {
      ...root,
      items: root.items.map((item, index) => (String(index) === token ? below(item) : item)),
    };
  }
  return root;
}

/** A tree with a member set in the object at a place: in its place, or at the end. */
export function inserted(root: JsonNode, tokens: readonly string[], key: string, value: JsonNode): JsonNode {
  return changed(root, tokens, (node) => {
    if (node.kind !== 'object') return node;
    const object: JsonObject = { ...node, members: node.members.map((one) => ({ ...one })) };
    setMember(object, key, value);
    return object;
  });
}

/** A tree with the member at a place under another name. */
export function renamed(root: JsonNode, tokens: readonly string[], name: string): JsonNode {
  const key = tokens.at(-1);
  return changed(root, tokens.slice(0, -1), (node) => {
    if (node.kind !== 'object') return node;
    const rename = (one: JsonMember) =>
      one.key === key ? { ...one, key: name, keySource: JSON.stringify(name) } : one;
    return { ...node, members: node.members.map(rename) };
  });
}

/** A tree without what stands at a place, and without the objects and arrays around it that are empty then. */
export function without(root: JsonNode, tokens: readonly string[]): JsonNode {
  const parent = tokens.slice(0, -1);
  const token = tokens.at(-1);
  if (token === undefined) return root;
  const left = changed(root, parent, (node) => {
    if (node.kind === 'object') return { ...node, members: node.members.filter(({ key }) => key !== token) };
    if (node.kind === 'array')
      return { ...node, items: node.items.filter((_, index) => String(index) !== token) };
    return node;
  });
  const around = locate(left, parent);
  const empty =
    (around?.kind === 'object' && around.members.length === 0) ||
    (around?.kind === 'array' && around.items.length === 0);
  return empty && parent.length > 0 ? without(left, parent) : left;
}

function changed(root: JsonNode, tokens: readonly string[], change: (node: JsonNode) => JsonNode): JsonNode {
  const node = locate(root, tokens);
  return node ? replaced(root, tokens, change(node)) : root;
}
