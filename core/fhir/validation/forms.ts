import type { JsonNode } from '../../json/node.ts';
import type { PrimitiveForm, ElementSlot } from '../../types/definition/rule.ts';
import { formatList } from '../../text/language.ts';
import { resourceTypeKind } from './kinds.ts';
import type { SchemaRuleId } from './rules-schema.ts';

/** Problem with the format of a value: the rule, its technical detail and the value for its sentence. */
export interface FormatProblem {
  readonly rule: SchemaRuleId;
  readonly detail?: string;
  readonly name?: string;
}

const maxDetailCodes = 20;
/** Maximum number of codes in a sentence. */
const maxSentenceCodes = 10;
const dayPattern = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const zonePattern = '(?:Z|[+-][0-9]{2}:[0-9]{2})';
const timeWithoutZone = new RegExp(
  `^${dayPattern}T(?:[0-9]{2}(?::[0-9]{2})?${zonePattern}?|[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]+)?)$`,
);
const timeTypes = new Set(['dateTime', 'instant']);

/**
 * Returns the problem of a value by FHIR's types: JSON type, format of text or number, code.
 *
 * @param listed - True if the node is an item of a list.
 * @see FHIR R4 json.html, datatypes.html#primitive
 */
export function findFormatProblem(
  node: JsonNode,
  slot: ElementSlot,
  listed: boolean,
): FormatProblem | undefined {
  const { kind, repeats, padded, codes } = slot;
  if (repeats && !listed) return node.kind === 'array' ? undefined : createTypeProblem('array');
  const { form } = kind;
  if (node.kind === 'null' && padded) return undefined;
  if (form === undefined) return node.kind === 'object' ? undefined : createTypeProblem('object');
  if (kind === resourceTypeKind) {
    const right = node.kind === 'string' && (codes === undefined || codes.has(node.value));
    return right
      ? undefined
      : { rule: 'resource-type', detail: `expected ${[...(codes ?? ['string'])].join()}` };
  }
  if (node.kind === 'number') return findNumberProblem(node.source, form, kind.name);
  if (node.kind === 'string' && form.type === 'string') return findTextProblem(node.value, slot, form);
  return node.kind === form.type ? undefined : createTypeProblem(form.type);
}

function createTypeProblem(expected: string): FormatProblem {
  return { rule: 'schema-type', detail: `expected ${expected}` };
}

function findNumberProblem(
  source: string,
  { type, minimum, maximum }: PrimitiveForm,
  name: string,
): FormatProblem | undefined {
  if (type === 'number') return undefined;
  const value = Number(source);
  if (type !== 'integer' || (Number.isFinite(value) && value % 1 !== 0)) return createTypeProblem(type);
  const outside = value < (minimum ?? value) || value > (maximum ?? value);
  // An integer is written without a point and without an exponent.
  return outside || /[.eE]/.test(source) ? { rule: 'schema-primitive', detail: name } : undefined;
}

function findTextProblem(
  value: string,
  { kind, codes }: ElementSlot,
  { pattern }: PrimitiveForm,
): FormatProblem | undefined {
  if (codes) return codes.has(value) ? undefined : createCodeProblem([...codes]);
  if (pattern === undefined || pattern.test(value)) return undefined;
  const isTime = timeTypes.has(kind.name) && timeWithoutZone.test(value);
  return { rule: isTime ? 'date-time-zone' : 'schema-primitive', detail: kind.name };
}

/**
 * Creates the problem of a code that is not allowed. The sentence lists the first allowed codes, then an
 * ellipsis.
 */
function createCodeProblem(codes: readonly string[]): FormatProblem {
  const detail =
    codes.length > maxDetailCodes ? `one of ${codes.length} codes` : `one of ${codes.join(', ')}`;
  const listedCodes = codes.length > maxSentenceCodes ? [...codes.slice(0, maxSentenceCodes), '…'] : codes;
  return { rule: 'schema-code', detail, name: `(${formatList(listedCodes, 'unit')})` };
}
