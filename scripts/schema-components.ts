import {
  containedName,
  cutDefinitions,
  hasSibling,
  type Definition,
  type Property,
} from './schema-definitions.ts';
import { primitives, type Schema } from './schema-primitives.ts';
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
  const text = JSON.stringify(mendedSchemas(cutDefinitions(sources, [...recordNames, ...answered])))
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

const orNull = 'OrNull';
const nullableElement = `Element${orNull}`;

function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

/** JSON schemas (draft 7) of the definitions: `type: object` and `additionalProperties: false` throughout. */
function mendedSchemas(definitions: readonly Definition[]): Schema {
  const complex = Object.fromEntries(definitions.map((one) => [one.name, objectSchema(one)]));
  return {
    ...primitives,
    ...Object.fromEntries(nullablePrimitives()),
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

function objectSchema({ name, properties }: Definition): Schema {
  const isRecord = properties.some((property) => property.name === 'implicitRules');
  const choices = Map.groupBy(
    properties.filter((property) => property.choice && property.required),
    (property) => property.choice,
  );
  const required = properties.filter((property) => property.required && !property.choice);
  const alternatives = [
    ...required
      .filter(hasSibling)
      .filter(({ name: own }) => own !== 'url' || name !== 'Extension')
      .map(presence),
    ...[...choices.values()].map((group) => ({
      anyOf: group.flatMap(namesOf).map((one) => ({ required: [one] })),
    })),
  ];
  const always = required
    .filter((property) => !hasSibling(property) || name === 'Extension')
    .map((property) => property.name);
  return {
    type: 'object',
    properties: {
      ...(isRecord && { resourceType: { const: name } }),
      ...Object.fromEntries(properties.flatMap(members)),
    },
    additionalProperties: false,
    required: [...(isRecord ? ['resourceType'] : []), ...always],
    ...(alternatives.length > 0 && { allOf: alternatives }),
  };
}

function namesOf(property: Property): string[] {
  return hasSibling(property) ? [property.name, `_${property.name}`] : [property.name];
}

/** A primitive is present where its value or its `_name` sibling is; the fault names the value. */
function presence({ name }: Property): Schema {
  return { if: { not: { required: [`_${name}`] } }, then: { required: [name] } };
}

function members(property: Property): [string, Schema][] {
  const { name, repeats } = property;
  const sibling = hasSibling(property);
  const value = valueSchema(property, sibling && repeats);
  const own: [string, Schema] = [name, repeats ? listOf(value) : value];
  if (!sibling) return [own];
  return [own, [`_${name}`, repeats ? listOf(ref(nullableElement)) : ref('Element')]];
}

function listOf(items: Schema): Schema {
  return { type: 'array', minItems: 1, items };
}

/**
 * In arrays of primitives null stands where only the `_name` sibling has something to say. Such a type keeps a name of
 * its own, by which a fault is told.
 */
function valueSchema({ type, codes }: Property, nullable: boolean): Schema {
  if (!codes) return ref(nullable ? `${type}${orNull}` : type);
  return nullable ? { type: ['string', 'null'], enum: [...codes, null] } : { type: 'string', enum: codes };
}

function nullablePrimitives(): [string, Schema][] {
  return Object.entries(primitives).map(([name, schema]) => [
    `${name}${orNull}`,
    { ...schema, type: [schema.type, 'null'] },
  ]);
}
