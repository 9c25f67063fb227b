/**
 * core/json reads, prints, compares and addresses JSON text without losing digits, key order or escapes. Used
 * by every process. Invariant: a node prints to the characters that it was read from, except white space.
 */

/** Range of a node in its text: UTF-16 offsets, `end` exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonMember {
  readonly key: string;
  /** Key as written, with quotes and escapes. */
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
  /** Digits as written; never converted. */
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

const emptySpan: Span = { start: 0, end: 0 };

/** Returns a string node for a value that comes from code, not from text. */
export function stringNode(value: string): JsonString {
  return { kind: 'string', value, source: JSON.stringify(value), ...emptySpan };
}

/** Returns an empty object node, to be filled with {@link setMember}. */
export function objectNode(): JsonObject {
  return { kind: 'object', members: [], ...emptySpan };
}

/** Returns a member's value; undefined if the node is not an object or lacks the member. */
export function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.find((candidate) => candidate.key === key)?.value;
}

/** Returns a member's string value; undefined if it is missing or not a string. */
export function stringMember(node: JsonNode | undefined, key: string): string | undefined {
  const value = member(node, key);
  return value?.kind === 'string' ? value.value : undefined;
}

/** Returns the items of an array node; an empty list for other nodes. */
export function items(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === 'array' ? node.items : [];
}

/** Replaces a member, or inserts it at `position` (default: at the end). Mutates `object`. */
export function setMember(object: JsonObject, key: string, value: JsonNode, position?: number): void {
  const existing = object.members.find((candidate) => candidate.key === key);
  if (existing) {
    existing.value = value;
    return;
  }
  const newMember: JsonMember = { key, keySource: JSON.stringify(key), keySpan: emptySpan, value };
  object.members.splice(position ?? object.members.length, 0, newMember);
}

/** Returns true if a node is nested deeper than `levels`. Descends no deeper. */
export function isDeeperThan(node: JsonNode, levels: number): boolean {
  if (node.kind !== 'object' && node.kind !== 'array') return false;
  if (levels === 0) return true;
  const children = node.kind === 'object' ? node.members.map(({ value }) => value) : node.items;
  return children.some((child) => isDeeperThan(child, levels - 1));
}

/** Returns a copy whose members and items can be set without changing the original. */
export function copy(node: JsonObject): JsonObject;
export function copy(node: JsonNode): JsonNode;
export function copy(node: JsonNode): JsonNode {
  if (node.kind === 'object') {
    return { ...node, members: node.members.map((entry) => ({ ...entry, value: copy(entry.value) })) };
  }
  return node.kind === 'array' ? { ...node, items: node.items.map(copy) } : node;
}

/**
 * Returns true if two nodes have the same value: objects in any order of keys, strings by characters, numbers
 * by digits (1.0 and 1.00 differ, because FHIR decimals have a precision).
 */
export function equal(node: JsonNode, otherNode: JsonNode): boolean {
  switch (node.kind) {
    case 'object':
      return (
        otherNode.kind === 'object' &&
        node.members.length === otherNode.members.length &&
        node.members.every(({ key, value }, index) => {
          // A key usually has the same index on both sides.
          const candidate = otherNode.members[index];
          const otherValue = candidate?.key === key ? candidate.value : member(otherNode, key);
          return otherValue !== undefined && equal(value, otherValue);
        })
      );
    case 'array':
      return otherNode.kind === 'array' && equalAll(node.items, otherNode.items);
    case 'string':
      return otherNode.kind === 'string' && node.value === otherNode.value;
    case 'number':
      return otherNode.kind === 'number' && node.source === otherNode.source;
    case 'boolean':
      return otherNode.kind === 'boolean' && node.value === otherNode.value;
    case 'null':
      return otherNode.kind === 'null';
  }
}

/** Returns true if two lists have the same values in the same order. */
export function equalAll(nodes: readonly JsonNode[], otherNodes: readonly JsonNode[]): boolean {
  return (
    nodes.length === otherNodes.length &&
    nodes.every((node, index) => {
      const otherItem = otherNodes[index];
      return otherItem !== undefined && equal(node, otherItem);
    })
  );
}

/** Serializes a node as JSON text without white space. Digits, escapes and key order are preserved. */
export function serializeNode(node: JsonNode): string {
  switch (node.kind) {
    case 'object': {
      let text = '';
      for (const { keySource, value } of node.members) {
        text += `${text === '' ? '{' : ','}${keySource}:${serializeNode(value)}`;
      }
      return text === '' ? '{}' : `${text}}`;
    }
    case 'array': {
      let text = '';
      for (const item of node.items) text += (text === '' ? '[' : ',') + serializeNode(item);
      return text === '' ? '[]' : `${text}]`;
    }
    case 'string':
    case 'number':
      return node.source;
    case 'boolean':
      return node.value ? 'true' : 'false';
    case 'null':
      return 'null';
  }
}

/**
 * Formats a node as readable JSON text: two spaces a level, one member or item a line. Nothing else changes.
 */
export function formatNode(node: JsonNode, indent = ''): string {
  const inner = `${indent}  `;
  if (node.kind === 'object' && node.members.length > 0) {
    const lines = node.members.map(
      (member) => `${inner}${member.keySource}: ${formatNode(member.value, inner)}`,
    );
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  if (node.kind === 'array' && node.items.length > 0) {
    return `[\n${node.items.map((item) => inner + formatNode(item, inner)).join(',\n')}\n${indent}]`;
  }
  return serializeNode(node);
}
