import type { Json, Members } from '../../json/testing/edits.ts';
import { rowsOf } from '../element-rows.ts';
import { typeOfRow } from '../element-type.ts';
import { resourceTypeOf } from './typed-records.ts';

/** The types of which a merge never combines parts. Written out here, so that a change of the product's list shows. */
const whole = new Set([
  ...['Quantity', 'Age', 'Count', 'Distance', 'Duration', 'MoneyQuantity', 'SimpleQuantity', 'Money'],
  ...['Coding', 'CodeableConcept', 'Identifier', 'Reference', 'Period', 'Range', 'Ratio', 'SampledData'],
  ...['Timing', 'Attachment', 'Annotation', 'HumanName', 'Address', 'ContactPoint', 'Signature', 'Narrative'],
  ...['Dosage', 'Expression'],
]);

/**
 * Returns each value of a resource that is true as a whole only, with the place of its element: values of atomic types,
 * choices, and primitives with their ids and extensions.
 */
export function* wholeValues(node: Members, type: string, path = type): Generator<string> {
  const rows = rowsOf(type) ?? {};
  const places = new Map<string, Members>();
  for (const [name, value] of Object.entries(node)) {
    const plain = name.replace(/^_/, '');
    const row = rows[plain];
    if (!row) continue;
    const { primitive } = typeOfRow(row);
    const hasSibling = Object.hasOwn(node, `_${plain}`);
    if (row.choice !== undefined || (primitive && hasSibling)) {
      const place = row.choice === undefined ? plain : `${row.choice}[x]`;
      places.set(place, { ...places.get(place), [name]: value });
      continue;
    }
    if (primitive) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) continue;
      const own = row.type === 'Contained' ? resourceTypeOf(item) : row.type;
      if (whole.has(own)) yield `${path}.${name} ${canonical(item)}`;
      else yield* wholeValues(item, own, `${path}.${name}`);
    }
  }
  for (const [place, members] of places) yield `${path}.${place} ${canonical(members)}`;
}

/** Returns the JSON text of a value with sorted members. */
function canonical(node: Json): string {
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  if (Array.isArray(node)) return `[${node.map(canonical).join()}]`;
  const members = Object.entries(node).map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`);
  return `{${members.sort().join()}}`;
}
