import { items, member, stringMember, type JsonNode } from '../../json/node.ts';
import { isInUse, nameOf } from '../names.ts';

/** Formats a value of any data type as one line; empty without content. */
export function valueText(node: JsonNode | undefined): string {
  switch (node?.kind) {
    case 'string':
      return node.value;
    case 'number':
      return node.source;
    case 'boolean':
      return String(node.value);
    case 'array':
      return [...new Set(node.items.filter(isInUse).slice(0, 3).map(valueText))].filter(Boolean).join(', ');
    case 'object':
      return textOfObject(node);
    case 'null':
    case undefined:
      return '';
  }
}

function textOfObject(node: JsonNode): string {
  const [start, end] = [stringMember(node, 'start'), stringMember(node, 'end')];
  if (start !== undefined || end !== undefined) return `${start ?? '…'} – ${end ?? '…'}`;
  const value = member(node, 'value');
  if (value?.kind === 'number') {
    const unit = stringMember(node, 'unit') ?? stringMember(node, 'code');
    return [stringMember(node, 'comparator'), value.source, unit].filter(Boolean).join(' ');
  }
  const candidates = [
    identifierText(node),
    nameOf(node),
    valueText(member(node, 'code')),
    ...items(member(node, 'coding')).map((coding) => stringMember(coding, 'code') ?? ''),
  ];
  return [...candidates, value?.kind === 'string' ? value.value : ''].find(Boolean) ?? '';
}

/** Formats an Identifier with its type (FHIR R4 datatypes.html#Identifier). */
function identifierText(node: JsonNode): string {
  const [value, type] = [stringMember(node, 'value'), member(node, 'type')];
  const kind = type && valueText(type);
  return value !== undefined && kind ? `${value} (${kind})` : '';
}
