import {
  recordTypes,
  type ElementRow,
  type ElementRows,
  type InvariantRow,
  type TypeTable,
} from './validation/generated/element-table.js';
import { furtherTypes } from './validation/generated/further-types.js';

/** By the name of a type that no record reaches by itself, what R4 says of it: read when it is first asked for. */
const read = new Map<string, TypeTable>();

/** A row of a further type may be a text: its type, `*` where it repeats, `!` where it is mandatory. */
function rowOf(row: ElementRow | string): ElementRow {
  if (typeof row !== 'string') return row;
  const [, type = '', repeats, required] = /^(\w+)(\*)?(!)?$/.exec(row) ?? [];
  return { type, ...(repeats && { repeats: true }), ...(required && { required: true }) };
}

function tableOf(name: string): TypeTable | undefined {
  if (Object.hasOwn(recordTypes.elements, name)) return recordTypes;
  // A nested type stands with its resource: `Goal` of `Goal_Target`.
  const group = name.split('_', 1)[0] ?? '';
  const known = read.get(group);
  if (known || !Object.hasOwn(furtherTypes, group)) return known;
  const { elements, invariants } = JSON.parse(furtherTypes[group] ?? '') as TypeTable;
  const rows = Object.entries(elements).map(([type, own]) => [
    type,
    Object.fromEntries(Object.entries(own).map(([element, row]) => [element, rowOf(row)])),
  ]);
  const table = { elements: Object.fromEntries(rows) as TypeTable['elements'], invariants };
  read.set(group, table);
  return table;
}

/** The elements of a type of FHIR R4, in the order of the standard; undefined where there is no such type. */
export function rowsOf(type: string): ElementRows | undefined {
  const elements = tableOf(type)?.elements;
  return elements && Object.hasOwn(elements, type) ? elements[type] : undefined;
}

/** R4's invariants of a type, but for those that the table of rules has. */
export function invariantsOf(type: string): readonly InvariantRow[] {
  const invariants = tableOf(type)?.invariants;
  return (invariants && Object.hasOwn(invariants, type) ? invariants[type] : undefined) ?? [];
}
