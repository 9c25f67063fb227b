import {
  containedName,
  extractDefinitions,
  hasSibling,
  type Definition,
  type Property,
} from './schema-definitions.ts';
import { primitives, type Schema } from './schema-primitives.ts';
import { createModule, type Sources } from './schema-sources.ts';
import { recordNames } from './schema-types.ts';

/** Types of responses besides records. */
const responseTypes = ['Bundle', 'OperationOutcome'];

interface ObjectSchema {
  readonly properties: Record<string, unknown>;
}

export const componentDeclarations = `/** Made by scripts/schema.ts. */
/** OpenAPI 3.1 schemas of the resources that the API takes and answers, with the data types that they reach. */
export declare const componentSchemas: Readonly<Record<string, unknown>>;
`;

/** Returns the text of component-schemas.js, a part of the OpenAPI document. */
export function createComponentModule(sources: Sources): string {
  const text = JSON.stringify(createSchemas(extractDefinitions(sources, [...recordNames, ...responseTypes])))
    .replaceAll('"#/definitions/', '"#/components/schemas/')
    // Only JavaScript knows this character class.
    .replaceAll('"pattern":"[^]"', '"minLength":1');
  const schemas = JSON.parse(text) as Record<string, unknown> &
    Record<'Bundle' | 'Bundle_Entry', ObjectSchema>;
  const { Bundle: bundle, Bundle_Entry: entry } = schemas;
  bundle.properties.type = { type: 'string', enum: ['searchset', 'history', 'document'] };
  // A search without a match returns an empty list.
  bundle.properties.entry = { type: 'array', items: { $ref: '#/components/schemas/Bundle_Entry' } };
  // An OperationOutcome replaces a record that cannot be returned.
  entry.properties.resource = {
    anyOf: ['Resource', 'OperationOutcome'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
  };
  const resource = {
    oneOf: recordNames.map((type) => ({ $ref: `#/components/schemas/${type}` })),
    discriminator: { propertyName: 'resourceType' },
  };
  return createModule({ componentSchemas: JSON.stringify({ ...schemas, Resource: resource }) });
}

const orNull = 'OrNull';
const nullableElement = `Element${orNull}`;

function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

/**
 * Returns JSON schemas (draft 7) of the definitions, each with `type: object` and `additionalProperties:
 * false`.
 */
function createSchemas(definitions: readonly Definition[]): Schema {
  const complex = Object.fromEntries(
    definitions.map((definition) => [definition.name, createObjectSchema(definition)]),
  );
  return {
    ...primitives,
    ...Object.fromEntries(createNullablePrimitives()),
    ...complex,
    [nullableElement]: { ...complex.Element, type: ['object', 'null'] },
    [containedName]: contained,
  };
}

const contained: Schema = {
  type: 'object',
  required: ['resourceType'],
  properties: {
    resourceType: { type: 'string', pattern: '^[A-Z][A-Za-z]*$' },
    id: ref('id'),
    meta: ref('Meta'),
    text: ref('Narrative'),
  },
};

function createObjectSchema({ name, properties }: Definition): Schema {
  const isRecord = properties.some((property) => property.name === 'implicitRules');
  const choices = Map.groupBy(
    properties.filter((property) => property.choice && property.required),
    (property) => property.choice,
  );
  const required = properties.filter((property) => property.required && !property.choice);
  const alternatives = [
    ...required
      .filter(hasSibling)
      .filter(({ name: propertyName }) => propertyName !== 'url' || name !== 'Extension')
      .map(createPresence),
    ...[...choices.values()].map((group) => ({
      anyOf: group.flatMap(listNames).map((propertyName) => ({ required: [propertyName] })),
    })),
  ];
  const alwaysRequired = required
    .filter((property) => !hasSibling(property) || name === 'Extension')
    .map((property) => property.name);
  return {
    type: 'object',
    properties: {
      ...(isRecord && { resourceType: { const: name } }),
      ...Object.fromEntries(properties.flatMap(listMembers)),
    },
    additionalProperties: false,
    required: [...(isRecord ? ['resourceType'] : []), ...alwaysRequired],
    ...(alternatives.length > 0 && { allOf: alternatives }),
  };
}

function listNames(property: Property): string[] {
  return hasSibling(property) ? [property.name, `_${property.name}`] : [property.name];
}

/** A primitive is present if its value or its `_name` sibling is. The error names the value. */
function createPresence({ name }: Property): Schema {
  return { if: { not: { required: [`_${name}`] } }, then: { required: [name] } };
}

function listMembers(property: Property): [string, Schema][] {
  const { name, repeats } = property;
  const sibling = hasSibling(property);
  const value = createValueSchema(property, sibling && repeats);
  const member: [string, Schema] = [name, repeats ? createList(value) : value];
  if (!sibling) return [member];
  return [member, [`_${name}`, repeats ? createList(ref(nullableElement)) : ref('Element')]];
}

function createList(items: Schema): Schema {
  return { type: 'array', minItems: 1, items };
}

/**
 * In arrays of primitives, null is allowed because the `_name` sibling may have content. Such a type has a
 * separate name for error messages.
 */
function createValueSchema({ type, codes }: Property, nullable: boolean): Schema {
  if (!codes) return ref(nullable ? `${type}${orNull}` : type);
  return nullable ? { type: ['string', 'null'], enum: [...codes, null] } : { type: 'string', enum: codes };
}

function createNullablePrimitives(): [string, Schema][] {
  return Object.entries(primitives).map(([name, schema]) => [
    `${name}${orNull}`,
    { ...schema, type: [schema.type, 'null'] },
  ]);
}
