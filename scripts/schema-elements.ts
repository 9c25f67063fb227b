import { primitives } from './schema-primitives.ts';
import { extractDefinitions, type Definition, type Property } from './schema-definitions.ts';
import { listInvariants } from './schema-invariants.ts';
import { createModule, type Sources } from './schema-sources.ts';

export const elementDeclarations = `/** Made by scripts/schema.ts. */
export interface ElementRow {
  /** Name of a FHIR type; of a nested element its resource's and its own: CarePlan_Detail. */
  readonly type: string;
  readonly repeats?: true;
  readonly required?: true;
  /** The codes of a required binding. */
  readonly codes?: readonly string[];
  /** The element that this one is a choice of: value of valueString. */
  readonly choice?: string;
  /** The types that a reference may name. */
  readonly targets?: readonly string[];
  /** A profile of the type that R4 asks for here: SimpleQuantity. */
  readonly profile?: string;
}
export type ElementRows = Readonly<Record<string, ElementRow>>;
/** What must be true of an element: R4's key, its severity, R4's sentence, and the expression as core/fhir/validation reads it. */
export type InvariantRow = readonly [key: string, severity: 'error' | 'warning', human: string, expression: InvariantTerm];
export type InvariantTerm = readonly (InvariantTerm | string | number | boolean)[];
export interface TypeTable {
  /** By type and name. */
  readonly elements: Readonly<Record<string, ElementRows>>;
  /** By type. */
  readonly invariants: Readonly<Record<string, readonly InvariantRow[]>>;
}
/** Every element that a CarePlan or a Composition can hold. */
export declare const recordTypes: TypeTable;
export interface PrimitiveRow {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** A regular expression of its strings. */
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}
export declare const primitives: Readonly<Record<string, PrimitiveRow>>;
/** The resource types of FHIR R4. */
export declare const resourceNames: readonly string[];
`;

export const furtherDeclarations = `/** Made by scripts/schema.ts. */
/**
 * By the name of a type that no record reaches but as a contained resource, the JSON text of its TypeTable. A row that has
 * a type, repeats or is required and nothing else is a text: type, \`*\` and \`!\`.
 */
export declare const furtherTypes: Readonly<Record<string, string>>;
`;

/**
 * Returns the text of element-table.js: the element data of validation, completion and the patch composer.
 */
export function createElementModule(sources: Sources): string {
  return createModule({
    recordTypes: JSON.stringify(createTable(extractDefinitions(sources), sources)),
    primitives: JSON.stringify(primitives),
    resourceNames: JSON.stringify(sources.resourceNames),
  });
}

/** Returns the text of further-types.js. Each type is a separate text, because most are never used. */
export function createFurtherModule(sources: Sources): string {
  const recordTypeNames = new Set(extractDefinitions(sources).map(({ name }) => name));
  const furtherDefinitions = extractDefinitions(sources, sources.resourceNames).filter(
    ({ name }) => !recordTypeNames.has(name),
  );
  const groups = [...Map.groupBy(furtherDefinitions, ({ name }) => name.split('_', 1)[0] ?? '')];
  const texts = groups.map(([name, definitions]) => {
    return `${name}:'${JSON.stringify(createTable(definitions, sources), shortenRow).replaceAll(/[\\']/g, '\\$&')}'`;
  });
  return createModule({ furtherTypes: `{${texts.join(',\n')}}` });
}

function shortenRow(_key: string, value: unknown): unknown {
  const row = value as Partial<ReturnType<typeof createRow>> | undefined;
  if (typeof row?.type !== 'string') return value;
  const { type, repeats, required, ...otherMembers } = row;
  if (Object.keys(otherMembers).length > 0) return value;
  return `${type}${repeats === true ? '*' : ''}${required === true ? '!' : ''}`;
}

function createTable(definitions: readonly Definition[], sources: Sources) {
  const elements = definitions.map(({ name, properties }) => [
    name,
    Object.fromEntries(properties.map((property) => [property.name, createRow(property)])),
  ]);
  const invariants = definitions
    .map((definition) => [definition.name, listInvariants(definition, sources)] as const)
    .filter(([, rows]) => rows.length > 0);
  return { elements: Object.fromEntries(elements) as object, invariants: Object.fromEntries(invariants) };
}

function createRow({ type, repeats, required, codes, choice, targets, profile }: Property) {
  return {
    type,
    ...(repeats && { repeats }),
    ...(required && { required }),
    ...(codes && { codes }),
    ...(choice !== undefined && { choice }),
    ...(targets && type === 'Reference' && { targets }),
    ...(profile !== undefined && { profile }),
  };
}
