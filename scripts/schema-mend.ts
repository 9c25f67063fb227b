import { containedName, hasSibling, type Definition, type Property } from './schema-definitions.ts';
import { primitives, type Schema } from './schema-primitives.ts';

const orNull = 'OrNull';
const nullableElement = `Element${orNull}`;

function ref(name: string): Schema {
  return { $ref: `#/definitions/${name}` };
}

/** The JSON schema (draft 7) of the definitions: `type: object` and `additionalProperties: false` throughout. */
export function mendedSchema(definitions: readonly Definition[]): Schema {
  const complex = Object.fromEntries(definitions.map((one) => [one.name, objectSchema(one)]));
  return {
    $id: 'record',
    definitions: {
      ...primitives,
      ...Object.fromEntries(nullablePrimitives()),
      ...complex,
      [nullableElement]: { ...complex.Element, type: ['object', 'null'] },
      [containedName]: contained,
    },
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
