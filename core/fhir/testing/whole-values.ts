import type { Json, Members } from '../../json/testing/edits.ts';
import { rowsOf } from '../element-rows.ts';
import { typeOfRow } from '../element-type.ts';
import { resourceTypeOf } from './typed-records.ts';

/** Types whose parts a merge never combines. Written out here to detect changes of the production list. */
const atomicTypes = new Set([
  'Quantity',
  'Age',
  'Count',
  'Distance',
  'Duration',
  'MoneyQuantity',
  'SimpleQuantity',
  'Money',
  'Coding',
  'CodeableConcept',
  'Identifier',
  'Reference',
  'Period',
  'Range',
  'Ratio',
  'SampledData',
  'Timing',
  'Attachment',
  'Annotation',
  'HumanName',
  'Address',
  'ContactPoint',
  'Signature',
  'Narrative',
  'Dosage',
  'Expression',
]);

/**
 * Yields each value of a resource that a merge must not split, with the path of its element: values of atomic
 * types, choices, and primitives with their ids and extensions.
 */
export function* wholeValues(node: Members, type: string, path = type): Generator<string> {
  const rows = rowsOf(type) ?? {};
  const choices = new Map<string, Members>();
  for (const [name, value] of Object.entries(node)) {
    const plain = name.replace(/^_/, '');
    const row = rows[plain];
    if (!row) continue;
    const { primitive } = typeOfRow(row);
    const hasSibling = Object.hasOwn(node, `_${plain}`);
    if (row.choice !== undefined || (primitive && hasSibling)) {
      const elementName = row.choice === undefined ? plain : `${row.choice}[x]`;
      choices.set(elementName, { ...choices.get(elementName), [name]: value });
      continue;
    }
    if (primitive) continue;
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item !== 'object' || item === null || Array.isArray(item)) continue;
      const itemType = row.type === 'Contained' ? resourceTypeOf(item) : row.type;
      if (atomicTypes.has(itemType)) yield `${path}.${name} ${canonical(item)}`;
      else yield* wholeValues(item, itemType, `${path}.${name}`);
    }
  }
  for (const [elementName, members] of choices) yield `${path}.${elementName} ${canonical(members)}`;
}

/** Returns the JSON text of a value with sorted members. */
function canonical(node: Json): string {
  if (typeof node !== 'object' || node === null) return JSON.stringify(node);
  if (Array.isArray(node)) return `[${node.map(canonical).join()}]`;
  const members = Object.entries(node).map(([name, value]) => `${JSON.stringify(name)}:${canonical(value)}`);
  return `{${members.sort().join()}}`;
}
