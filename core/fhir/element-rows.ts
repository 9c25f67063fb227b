import {
  recordTypes,
  type ElementRow,
  type ElementRows,
  type InvariantRow,
  type TypeTable,
} from './validation/generated/element-table.js';
import { furtherTypes } from './validation/generated/further-types.js';

/** Tables of types that no record contains directly, by group. Each is parsed on first use. */
const parsedTables = new Map<string, TypeTable>();

/** Expands a row of a further type. It may be a text: its type, `*` if it repeats, `!` if it is required. */
function rowOf(row: ElementRow | string): ElementRow {
  if (typeof row !== 'string') return row;
  const [, type = '', repeats, required] = /^(\w+)(\*)?(!)?$/.exec(row) ?? [];
  return { type, ...(repeats && { repeats: true }), ...(required && { required: true }) };
}

function tableOf(name: string): TypeTable | undefined {
  if (Object.hasOwn(recordTypes.elements, name)) return recordTypes;
  // A nested type is in the group of its resource: `Goal` for `Goal_Target`.
  const group = name.split('_', 1)[0] ?? '';
  const parsedTable = parsedTables.get(group);
  if (parsedTable || !Object.hasOwn(furtherTypes, group)) return parsedTable;
  const { elements, invariants } = JSON.parse(furtherTypes[group] ?? '') as TypeTable;
  const rows = Object.entries(elements).map(([type, typeRows]) => [
    type,
    Object.fromEntries(Object.entries(typeRows).map(([element, row]) => [element, rowOf(row)])),
  ]);
  const table = { elements: Object.fromEntries(rows) as TypeTable['elements'], invariants };
  parsedTables.set(group, table);
  return table;
}

/** Returns the elements of a type of FHIR R4 in the order of the standard; undefined if there is no such type. */
export function rowsOf(type: string): ElementRows | undefined {
  const elements = tableOf(type)?.elements;
  return elements && Object.hasOwn(elements, type) ? elements[type] : undefined;
}

/** Returns R4's invariants of a type, except the invariants in the table of rules. */
export function invariantsOf(type: string): readonly InvariantRow[] {
  const invariants = tableOf(type)?.invariants;
  return (invariants && Object.hasOwn(invariants, type) ? invariants[type] : undefined) ?? [];
}
