import { primitives } from './schema-primitives.ts';
import type { Definition } from './schema-definitions.ts';

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
}
/** By type and name, every element that a CarePlan or a Composition can hold. */
export declare const elements: Readonly<Record<string, Readonly<Record<string, ElementRow>>>>;
/** By the name of each primitive type, the regular expression of its strings; null where its values are none. */
export declare const primitivePatterns: Readonly<Record<string, string | null>>;
`;

/** The text of element-table.js: what completion and the patch composer know of an element. */
export function elementModule(definitions: readonly Definition[]): string {
  const table = Object.fromEntries(
    definitions.map(({ name, properties }) => [
      name,
      Object.fromEntries(
        properties.map(({ name: element, type, repeats, required, codes, choice }) => [
          element,
          {
            type,
            ...(repeats && { repeats }),
            ...(required && choice === undefined && { required }),
            ...(codes && { codes }),
            ...(choice !== undefined && { choice }),
          },
        ]),
      ),
    ]),
  );
  const patterns = Object.fromEntries(
    Object.entries(primitives).map(([name, { type, pattern = '' }]) => [
      name,
      type === 'string' ? pattern : null,
    ]),
  );
  return [
    '// Made by scripts/schema.ts from FHIR R4 4.0.1; do not edit.',
    `export const elements = ${JSON.stringify(table)};`,
    `export const primitivePatterns = ${JSON.stringify(patterns)};`,
    '',
  ].join('\n');
}
