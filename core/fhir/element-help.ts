import { formatPointer } from '../json/pointer.ts';
import { expressionAt } from './expression.ts';
import { elementAt, typeOfRow, type ElementType } from './element-type.ts';
import { rowsOf } from './element-rows.ts';
import { elementTexts, type ElementText } from './validation/generated/element-texts.js';

/** What FHIR R4 says of an element, for someone who writes it. */
export interface ElementHelp extends ElementType, ElementText {
  readonly name: string;
  /** The element that this one is a choice of: `value` of `valueString`. */
  readonly choice?: string;
  /** How often it may stand there: `0..1`, `1..*`. */
  readonly cardinality: string;
  /** FHIRPath of the place; blank for an element that is only offered. */
  readonly expression: string;
}

/** The elements that an object at a place can have, in the order of the definitions; none where FHIR knows no such place. */
export function membersAt(type: string, tokens: readonly string[]): ElementHelp[] {
  const owner = ownerAt(type, tokens);
  const rows = owner === undefined ? undefined : rowsOf(owner);
  return Object.entries(rows ?? {}).map(([name, row]) => ({
    ...helpOf(owner ?? '', name, typeOfRow(row), ''),
    ...(row.choice !== undefined && { choice: row.choice }),
  }));
}

/** What is known of the element at a place; undefined where FHIR knows none. An item is told as its list. */
export function helpAt(type: string, tokens: readonly string[]): ElementHelp | undefined {
  const named = tokens.at(-1)?.match(/^[0-9]+$/) ? tokens.slice(0, -1) : tokens;
  const name = named.at(-1);
  const owner = ownerAt(type, named.slice(0, -1));
  const element = elementAt(type, formatPointer(named));
  if (name === undefined || owner === undefined || !element) return undefined;
  return helpOf(owner, name, element, expressionAt(type, tokens));
}

/** The name of the type whose elements stand at a place. */
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
