/**
 * core/json reads, prints, compares and addresses JSON text without losing a digit, a key's place or an escape.
 * Called by every process. Invariant: a node prints to the very characters that it was read from, white space aside.
 */

/** Where a node stands in the text that it was read from: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonMember {
  readonly key: string;
  /** The key as it was written, quotes and escapes included. */
  readonly keySource: string;
  readonly keySpan: Span;
  value: JsonNode;
}

export interface JsonObject extends Span {
  readonly kind: 'object';
  readonly members: JsonMember[];
}

export interface JsonArray extends Span {
  readonly kind: 'array';
  readonly items: JsonNode[];
}

export interface JsonString extends Span {
  readonly kind: 'string';
  readonly value: string;
  readonly source: string;
}

interface JsonNumber extends Span {
  readonly kind: 'number';
  /** The digits as they were written; never converted. */
  readonly source: string;
}

interface JsonBoolean extends Span {
  readonly kind: 'boolean';
  readonly value: boolean;
}

interface JsonNull extends Span {
  readonly kind: 'null';
}

export type JsonNode = JsonObject | JsonArray | JsonString | JsonNumber | JsonBoolean | JsonNull;

const nowhere: Span = { start: 0, end: 0 };

/** A string node for a value that comes from code, not from text. */
export function stringNode(value: string): JsonString {
  return { kind: 'string', value, source: JSON.stringify(value), ...nowhere };
}

/** An empty object node, to be filled with {@link setMember}. */
export function objectNode(): JsonObject {
  return { kind: 'object', members: [], ...nowhere };
}

/** The member's value, or undefined where the node is no object or has no such own member. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.find((candidate) => candidate.key === key)?.value;
}

/** The member's string value, or undefined where it is absent or no string. */
export function stringMember(node: JsonNode | undefined, key: string): string | undefined {
  const value = member(node, key);
  return value?.kind === 'string' ? value.value : undefined;
}

/** The items of an array node; none for any other node. */
export function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

/** Sets a member in its place, or inserts it at `position` (default: at the end). Changes `object`. */
export function setMember(object: JsonObject, key: string, value: JsonNode, position?: number): void {
  const existing = object.members.find((candidate) => candidate.key === key);
  if (existing) {
    existing.value = value;
    return;
  }
  const added: JsonMember = { key, keySource: JSON.stringify(key), keySpan: nowhere, value };
  object.members.splice(position ?? object.members.length, 0, added);
}

/** Whether a node nests deeper than `levels`; looks no deeper than that. */
export function isDeeperThan(node: JsonNode, levels: number): boolean {
  if (node.kind !== 'object' && node.kind !== 'array') return false;
  if (levels === 0) return true;
  const children = node.kind === 'object' ? node.members.map(({ value }) => value) : node.items;
  return children.some((child) => isDeeperThan(child, levels - 1));
}

/** A copy whose members and items can be set without changing the original. */
export function copy(node: JsonObject): JsonObject;
export function copy(node: JsonNode): JsonNode;
export function copy(node: JsonNode): JsonNode {
  if (node.kind === 'object') {
    return { ...node, members: node.members.map((one) => ({ ...one, value: copy(one.value) })) };
  }
  return node.kind === 'array' ? { ...node, items: node.items.map(copy) } : node;
}
