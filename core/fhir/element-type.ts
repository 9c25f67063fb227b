import { isArrayIndex, parsePointer } from '../json/pointer.ts';
import { rowsOf } from './element-rows.ts';
import { primitives, type ElementRow } from './validation/generated/element-table.js';

/** Type of an element of a record in FHIR R4. */
export interface ElementType {
  /** Name of its FHIR type: `code`, `Period`; of a nested element `CarePlan_Detail`. */
  readonly type: string;
  /** True for a list; false for an item of a list. */
  readonly repeats: boolean;
  readonly required: boolean;
  /** True if its JSON value is a string, a number or a boolean. */
  readonly primitive: boolean;
  /** The allowed codes if the binding is required. */
  readonly codes?: readonly string[];
}

const forms = new Map(
  Object.entries(primitives).map(([name, { type, pattern = '' }]) => [
    name,
    // oxlint-disable-next-line security/detect-non-literal-regexp -- from the definitions, at build time
    type === 'string' ? new RegExp(pattern) : undefined,
  ]),
);

/** Returns whether a string has the form of a primitive type (FHIR R4 datatypes.html#primitive). */
export function hasForm(type: string, value: string): boolean {
  return value !== '' && (forms.get(type)?.test(value) ?? true);
}

/**
 * Returns the type of the element at a JSON Pointer in a resource of `type`.
 *
 * @returns undefined if FHIR has no such element, and below `contained`, which can contain any resource.
 */
export function elementAt(type: string, pointer: string): ElementType | undefined {
  const tokens = parsePointer(pointer);
  if (!tokens || tokens.length === 0) return undefined;
  let element: ElementType | undefined;
  let owner = type;
  for (const token of tokens) {
    if (element?.repeats) {
      if (!isArrayIndex(token)) return undefined;
      element = { ...element, repeats: false };
      continue;
    }
    element = memberOf(owner, token);
    if (!element) return undefined;
    owner = element.type;
  }
  return element;
}

/**
 * Returns the element of a type by its JSON name. `_name` is the sibling of a primitive (FHIR R4
 * json.html#primitive).
 */
function memberOf(owner: string, name: string): ElementType | undefined {
  const row = rowOf(owner, name);
  if (row) return typeOfRow(row);
  const plain = name.startsWith('_') ? rowOf(owner, name.slice(1)) : undefined;
  if (!plain || !forms.has(plain.type)) return undefined;
  return { type: 'Element', repeats: plain.repeats ?? false, required: false, primitive: false };
}

/** Returns the type of the element that a row of the definitions describes. */
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
