import { cutDefinitions } from './schema-definitions.ts';
import { mendedSchema } from './schema-mend.ts';
import { moduleOf, type Sources } from './schema-sources.ts';
import { recordNames } from './schema-types.ts';

/** What the API answers beside records. */
const answered = ['Bundle', 'OperationOutcome'];

interface ObjectSchema {
  readonly properties: Record<string, unknown>;
}

export const componentDeclarations = `/** Made by scripts/schema.ts. */
/** OpenAPI 3.1 schemas of the resources that the API takes and answers, with the data types that they reach. */
export declare const componentSchemas: Readonly<Record<string, unknown>>;
`;

/** The text of component-schemas.js, which the OpenAPI document takes in. */
export function componentModule(sources: Sources): string {
  const { definitions } = mendedSchema(cutDefinitions(sources, [...recordNames, ...answered]));
  const text = JSON.stringify(definitions)
    .replaceAll('"#/definitions/', '"#/components/schemas/')
    // A class that JavaScript alone reads.
    .replaceAll('"pattern":"[^]"', '"minLength":1');
  const schemas = JSON.parse(text) as Record<string, unknown> &
    Record<'Bundle' | 'Bundle_Entry', ObjectSchema>;
  const { Bundle: bundle, Bundle_Entry: entry } = schemas;
  bundle.properties.type = { type: 'string', enum: ['searchset', 'history', 'document'] };
  // A search without a match is answered with an empty list.
  bundle.properties.entry = { type: 'array', items: { $ref: '#/components/schemas/Bundle_Entry' } };
  // What cannot be answered, or is not held, is told of in its place.
  entry.properties.resource = {
    anyOf: ['Resource', 'OperationOutcome'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  };
  const resource = {
    oneOf: recordNames.map((type) => ({ $ref: `#/components/schemas/${type}` })),
    discriminator: { propertyName: 'resourceType' },
  };
  return moduleOf({ componentSchemas: JSON.stringify({ ...schemas, Resource: resource }) });
}
