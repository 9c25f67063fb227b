import { isArrayIndex, parsePointer } from '../json/pointer.ts';
import { rowsOf } from './element-rows.ts';
import { primitives, type ElementRow } from './validation/generated/element-table.js';

/** What FHIR R4 says of the element at a place in a record. */
export interface ElementType {
  /** Name of its FHIR type: `code`, `Period`; of a nested element `CarePlan_Detail`. */
  readonly type: string;
  /** Whether the place is a list; an item of a list is not. */
  readonly repeats: boolean;
  readonly required: boolean;
  /** Whether its JSON value is a string, a number or a boolean, not an object. */
  readonly primitive: boolean;
  /** The codes that are allowed, where the binding is required. */
  readonly codes?: readonly string[];
}

const forms = new Map(
  Object.entries(primitives).map(([name, { type, pattern = '' }]) => [
    name,
    // oxlint-disable-next-line security/detect-non-literal-regexp -- from the definitions, at build time
    type === 'string' ? new RegExp(pattern) : undefined,
  ]),
);

/** Whether a string has the form that a primitive type asks for (FHIR R4 datatypes.html#primitive). */
export function hasForm(type: string, value: string): boolean {
  return value !== '' && (forms.get(type)?.test(value) ?? true);
}

/**
 * The type of the element that a JSON Pointer names in a resource of `type`; undefined where FHIR knows no such
 * element, and below `contained`, whose content can be any resource.
 */
export function elementAt(type: string, pointer: string): ElementType | undefined {
  const tokens = parsePointer(pointer);
  if (!tokens || tokens.length === 0) return undefined;
  let found: ElementType | undefined;
  let owner = type;
  for (const token of tokens) {
    if (found?.repeats) {
      if (!isArrayIndex(token)) return undefined;
      found = { ...found, repeats: false };
      continue;
    }
    found = memberOf(owner, token);
    if (!found) return undefined;
    owner = found.type;
  }
  return found;
}

/** The element of a type by its JSON name; `_name` is the sibling of a primitive (FHIR R4 json.html#primitive). */
function memberOf(owner: string, name: string): ElementType | undefined {
  const row = rowOf(owner, name);
  if (row) return typeOfRow(row);
  const plain = name.startsWith('_') ? rowOf(owner, name.slice(1)) : undefined;
  if (!plain || !forms.has(plain.type)) return undefined;
  return { type: 'Element', repeats: plain.repeats ?? false, required: false, primitive: false };
}

/** What a row of the definitions says of its element. */
export function typeOfRow(row: ElementRow): ElementType {
  return {
    type: row.type,
    repeats: row.repeats ?? false,
    required: (row.required ?? false) && row.choice === undefined,
    primitive: forms.has(row.type),
    ...(row.codes && { codes: row.codes }),
  };
}

function rowOf(owner: string, name: string) {
  const rows = rowsOf(owner);
  return rows && Object.hasOwn(rows, name) ? rows[name] : undefined;
}
