import { formatPointer } from '../json/pointer.ts';
import { expressionAt } from './validation/finding.ts';
import { elementAt, typeOfRow, type ElementType } from './element-type.ts';
import { rowsOf } from './element-rows.ts';
import { elementTexts, type ElementText } from './validation/generated/element-texts.js';

/** Help for an element, from FHIR R4. */
export interface ElementHelp extends ElementType, ElementText {
  readonly name: string;
  /** The element that this one is a choice of: `value` of `valueString`. */
  readonly choice?: string;
  /** How often it may occur: `0..1`, `1..*`. */
  readonly cardinality: string;
  /** FHIRPath of the element; blank if the element is only a suggestion. */
  readonly expression: string;
}

/** Returns the elements that an object can have, in the order of the definitions; none if FHIR has no such object. */
export function membersAt(type: string, tokens: readonly string[]): ElementHelp[] {
  const owner = ownerAt(type, tokens);
  const rows = owner === undefined ? undefined : rowsOf(owner);
  return Object.entries(rows ?? {}).map(([name, row]) => ({
    ...helpOf(owner ?? '', name, typeOfRow(row), ''),
    ...(row.choice !== undefined && { choice: row.choice }),
  }));
}

/** Returns the help for an element; undefined if FHIR has no such element. An item has the help of its list. */
export function helpAt(type: string, tokens: readonly string[]): ElementHelp | undefined {
  const elementTokens = tokens.at(-1)?.match(/^[0-9]+$/) ? tokens.slice(0, -1) : tokens;
  const name = elementTokens.at(-1);
  const owner = ownerAt(type, elementTokens.slice(0, -1));
  const element = elementAt(type, formatPointer(elementTokens));
  if (name === undefined || owner === undefined || !element) return undefined;
  return helpOf(owner, name, element, expressionAt(type, tokens));
}

/** Returns the name of the type whose elements an object has. */
function ownerAt(type: string, tokens: readonly string[]): string | undefined {
  if (tokens.length === 0) return type;
  const element = elementAt(type, formatPointer(tokens));
  return element && !element.primitive && !element.repeats ? element.type : undefined;
}

function helpOf(owner: string, name: string, element: ElementType, expression: string): ElementHelp {
  const { repeats, required } = element;
  const text = elementTexts[owner]?.[name] ?? { short: '' };
  const cardinality = `${required ? 1 : 0}..${repeats ? '*' : 1}`;
  return { ...text, ...element, name, cardinality, expression };
}
