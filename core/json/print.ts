import type { JsonNode } from './node.ts';

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
