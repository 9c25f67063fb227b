import type { JsonNode } from './node.ts';

/** The node as JSON text without white space; digits, escapes and the order of keys are those that were read. */
export function print(node: JsonNode): string {
  switch (node.kind) {
    case 'object': {
      let text = '';
      for (const { keySource, value } of node.members) {
        text += `${text === '' ? '{' : ','}${keySource}:${print(value)}`;
      }
      return text === '' ? '{}' : `${text}}`;
    }
    case 'array': {
      let text = '';
      for (const item of node.items) text += (text === '' ? '[' : ',') + print(item);
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

/** The node as JSON text for reading: two spaces a level, one member or item a line. Nothing else changes. */
export function format(node: JsonNode, indent = ''): string {
  const inner = `${indent}  `;
  if (node.kind === 'object' && node.members.length > 0) {
    const lines = node.members.map((member) => `${inner}${member.keySource}: ${format(member.value, inner)}`);
    return `{\n${lines.join(',\n')}\n${indent}}`;
  }
  if (node.kind === 'array' && node.items.length > 0) {
    return `[\n${node.items.map((item) => inner + format(item, inner)).join(',\n')}\n${indent}]`;
  }
  return print(node);
}
