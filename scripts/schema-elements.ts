import { primitives } from './schema-primitives.ts';
import { cutDefinitions, type Definition, type Property } from './schema-definitions.ts';
import { invariantsOf } from './schema-invariants.ts';
import { moduleOf, type Sources } from './schema-sources.ts';

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

/** The text of element-table.js: what validation, completion and the patch composer know of an element. */
export function elementModule(sources: Sources): string {
  return moduleOf({
    recordTypes: JSON.stringify(tableOf(cutDefinitions(sources), sources)),
    primitives: JSON.stringify(primitives),
    resourceNames: JSON.stringify(sources.resourceNames),
  });
}

/** The text of further-types.js: a text for each type, as most of them are never met. */
export function furtherModule(sources: Sources): string {
  const known = new Set(cutDefinitions(sources).map(({ name }) => name));
  const further = cutDefinitions(sources, sources.resourceNames).filter(({ name }) => !known.has(name));
  const groups = [...Map.groupBy(further, ({ name }) => name.split('_', 1)[0] ?? '')];
  const texts = groups.map(([name, definitions]) => {
    return `${name}:'${JSON.stringify(tableOf(definitions, sources), shorten).replaceAll(/[\\']/g, '\\$&')}'`;
  });
  return moduleOf({ furtherTypes: `{${texts.join(',\n')}}` });
}

function shorten(_key: string, value: unknown): unknown {
  const row = value as Partial<ReturnType<typeof rowOf>> | undefined;
  if (typeof row?.type !== 'string') return value;
  const { type, repeats, required, ...more } = row;
  if (Object.keys(more).length > 0) return value;
  return `${type}${repeats === true ? '*' : ''}${required === true ? '!' : ''}`;
}

function tableOf(definitions: readonly Definition[], sources: Sources) {
  const elements = definitions.map(({ name, properties }) => [
    name,
    Object.fromEntries(properties.map((property) => [property.name, rowOf(property)])),
  ]);
  const invariants = definitions
    .map((definition) => [definition.name, invariantsOf(definition, sources)] as const)
    .filter(([, rows]) => rows.length > 0);
  return { elements: Object.fromEntries(elements) as object, invariants: Object.fromEntries(invariants) };
}

function rowOf({ type, repeats, required, codes, choice, targets, profile }: Property) {
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
