import type { JsonNode } from '../../json/node.ts';
import type { Form, Slot } from '../../types/definition/rule.ts';
import { resourceTypeKind } from './kinds.ts';
import type { SchemaRuleId } from './rules-schema.ts';

/** What is wrong with the form of a value: the rule, its technical detail, and what fills its sentence. */
export interface FormFault {
  readonly rule: SchemaRuleId;
  readonly detail?: string;
  readonly name?: string;
}

const mostCodes = 20;
/** Codes that stand in a sentence. */
const mostSaid = 10;
const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const zone = '(?:Z|[+-][0-9]{2}:[0-9]{2})';
const timeWithoutZone = new RegExp(
  `^${day}T(?:[0-9]{2}(?::[0-9]{2})?${zone}?|[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?)$`,
);
const timed = new Set(['dateTime', 'instant']);

/**
 * What is wrong with a value at its place by FHIR's types alone (FHIR R4 json.html, datatypes.html#primitive): its JSON
 * type, the form of its text or number, its code. Of a list, `listed` tells whether it is one of its items.
 */
export function formFault(node: JsonNode, slot: Slot, listed: boolean): FormFault | undefined {
  const { kind, repeats, padded, codes } = slot;
  if (repeats && !listed) return node.kind === 'array' ? undefined : typeFault('array');
  const { form } = kind;
  if (node.kind === 'null' && padded) return undefined;
  if (form === undefined) return node.kind === 'object' ? undefined : typeFault('object');
  if (kind === resourceTypeKind) {
    const right = node.kind === 'string' && (codes === undefined || codes.has(node.value));
    return right
      ? undefined
      : { rule: 'resource-type', detail: `expected ${[...(codes ?? ['string'])].join()}` };
  }
  if (node.kind === 'number') return numberFault(node.source, form, kind.name);
  if (node.kind === 'string' && form.type === 'string') return textFault(node.value, slot, form);
  return node.kind === form.type ? undefined : typeFault(form.type);
}

function typeFault(expected: string): FormFault {
  return { rule: 'schema-type', detail: `expected ${expected}` };
}

function numberFault(source: string, { type, minimum, maximum }: Form, name: string): FormFault | undefined {
  if (type === 'number') return undefined;
  const value = Number(source);
  if (type !== 'integer' || (Number.isFinite(value) && value % 1 !== 0)) return typeFault(type);
  const outside = value < (minimum ?? value) || value > (maximum ?? value);
  // A whole number is written without a point and without an exponent.
  return outside || /[.eE]/.test(source) ? { rule: 'schema-primitive', detail: name } : undefined;
}

function textFault(value: string, { kind, codes }: Slot, { pattern }: Form): FormFault | undefined {
  if (codes) return codes.has(value) ? undefined : codeFault([...codes]);
  if (pattern === undefined || pattern.test(value)) return undefined;
  const isTime = timed.has(kind.name) && timeWithoutZone.test(value);
  return { rule: isTime ? 'date-time-zone' : 'schema-primitive', detail: kind.name };
}

/** The codes that are allowed stand in the sentence, as far as a sentence holds them, and further ones behind it. */
function codeFault(codes: readonly string[]): FormFault {
  const further = codes.length > mostSaid ? ` and ${codes.length - mostSaid} more` : '';
  const detail = codes.length > mostCodes ? `one of ${codes.length} codes` : `one of ${codes.join(', ')}`;
  return { rule: 'schema-code', detail, name: `(${codes.slice(0, mostSaid).join(', ')}${further})` };
}
