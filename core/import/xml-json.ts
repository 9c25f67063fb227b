import { rowsOf } from '../fhir/element-rows.ts';
import { primitives, resourceNames, type ElementRow } from '../fhir/validation/generated/element-table.js';
import type { XmlElement } from './xml-elements.ts';

const knownResources: ReadonlySet<string> = new Set(resourceNames);
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Returns the JSON text of a resource in XML (R4 json.html, xml.html). Values keep their digits. A value that
 * JSON cannot write as its type, such as the number `01`, becomes a string. Elements that R4 does not have
 * become members as well, so that validation reports them.
 */
export function writeResourceAsJson(resource: XmlElement): string {
  const members = [`"resourceType":${JSON.stringify(resource.name)}`];
  return writeObject(resource, resource.name, members);
}

/**
 * Returns the JSON text of an element that is not a resource.
 *
 * @param type - Its type, such as `Bundle_Entry`; undefined if R4 does not have the element.
 */
export function writeElementAsJson(element: XmlElement, type: string | undefined): string {
  return writeObject(element, type, []);
}

function writeObject(element: XmlElement, type: string | undefined, members: string[]): string {
  const rows = type === undefined ? undefined : rowsOf(type);
  for (const [name, value] of element.attributes)
    members.push(`${JSON.stringify(name)}:${JSON.stringify(value)}`);
  for (const [name, children] of Map.groupBy(element.children, (child) => child.name)) {
    const row = rows && Object.hasOwn(rows, name) ? rows[name] : undefined;
    members.push(...writeMember(name, children, row));
  }
  return `{${members.join(',')}}`;
}

/** Returns the members for all elements of one name: the values, and for primitives also their ids and extensions. */
function writeMember(name: string, elements: readonly XmlElement[], row: ElementRow | undefined): string[] {
  const write = (prefix: string, values: readonly string[]) => {
    const isList = row?.repeats === true || values.length > 1;
    return `${JSON.stringify(`${prefix}${name}`)}:${isList ? `[${values.join(',')}]` : values.join('')}`;
  };
  const isPrimitive = row ? Object.hasOwn(primitives, row.type) : elements.every(looksPrimitive);
  if (!isPrimitive)
    return [
      write(
        '',
        elements.map((element) => writeComplex(element, row)),
      ),
    ];
  const values = elements.map((element) => writePrimitive(element, row));
  const companions = elements.map(writeCompanion);
  return [
    ...(values.some((value) => value !== 'null') ? [write('', values)] : []),
    ...(companions.some((companion) => companion !== 'null') ? [write('_', companions)] : []),
  ];
}

/** True for an element outside of R4 that has a value, or nothing else that an object could contain. */
function looksPrimitive({ attributes, children, markup }: XmlElement): boolean {
  return markup !== undefined || attributes.has('value') || (children.length === 0 && attributes.size === 0);
}

function writeComplex(element: XmlElement, row: ElementRow | undefined): string {
  const [child] = element.children;
  const containsResource =
    element.children.length === 1 &&
    child !== undefined &&
    (row?.type === 'Contained' || knownResources.has(child.name));
  return containsResource ? writeResourceAsJson(child) : writeObject(element, row?.type, []);
}

function writePrimitive({ attributes, markup }: XmlElement, row: ElementRow | undefined): string {
  const value = markup ?? attributes.get('value');
  if (value === undefined) return 'null';
  const kind = row && primitives[row.type]?.type;
  if (kind === 'boolean' && (value === 'true' || value === 'false')) return value;
  if ((kind === 'number' || kind === 'integer') && jsonNumber.test(value)) return value;
  return JSON.stringify(value);
}

/** Returns the object for ids and extensions of a primitive; `null` if it has none. */
function writeCompanion(element: XmlElement): string {
  const attributes = new Map(element.attributes);
  attributes.delete('value');
  if (attributes.size === 0 && element.children.length === 0) return 'null';
  return writeObject({ ...element, attributes }, 'Element', []);
}
